package org.aspectra.guard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.opensearch.common.network.NetworkService;
import org.opensearch.common.settings.Setting;
import org.opensearch.common.settings.Settings;
import org.opensearch.common.util.PageCacheRecycler;
import org.opensearch.common.util.concurrent.ThreadContext;
import org.opensearch.core.common.io.stream.NamedWriteableRegistry;
import org.opensearch.core.indices.breaker.CircuitBreakerService;
import org.opensearch.core.rest.RestStatus;
import org.opensearch.plugins.ActionPlugin;
import org.opensearch.plugins.NetworkPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.rest.BytesRestResponse;
import org.opensearch.rest.RestChannel;
import org.opensearch.rest.RestHandler;
import org.opensearch.rest.RestRequest;
import org.opensearch.telemetry.tracing.Tracer;
import org.opensearch.threadpool.ThreadPool;
import org.opensearch.transport.Transport;
import org.opensearch.transport.client.node.NodeClient;

/**
 * Keeps the other users of the machine out of the local node: every request must carry the node's password, and the
 * node has no transport port.
 */
public final class GuardPlugin extends Plugin implements ActionPlugin, NetworkPlugin {

    /** SHA-256 of the password, in hexadecimal. The node does not start without it. */
    static final Setting<byte[]> DIGEST = new Setting<>(
        "aspectra.guard.sha256", "", GuardPlugin::digest, Setting.Property.NodeScope, Setting.Property.Filtered);

    private final byte[] expected;

    public GuardPlugin(Settings settings) {
        expected = DIGEST.get(settings);
    }

    @Override
    public List<Setting<?>> getSettings() {
        return List.of(DIGEST);
    }

    @Override
    public UnaryOperator<RestHandler> getRestHandlerWrapper(ThreadContext context) {
        return Guarded::new;
    }

    @Override
    public Map<String, Supplier<Transport>> getTransports(Settings settings, ThreadPool threads,
            PageCacheRecycler recycler, CircuitBreakerService breakers, NamedWriteableRegistry writeables,
            NetworkService network, Tracer tracer) {
        return Map.of("none", NoTransport::new);
    }

    private static byte[] digest(String hexadecimal) {
        byte[] parsed = HexFormat.of().parseHex(hexadecimal);
        if (parsed.length != 32) {
            throw new IllegalArgumentException("aspectra.guard.sha256 must have 64 hexadecimal digits");
        }
        return parsed;
    }

    private boolean admits(String authorization) {
        if (authorization == null || !authorization.startsWith("Basic ")) {
            return false;
        }
        try {
            byte[] decoded = Base64.getDecoder().decode(authorization.substring("Basic ".length()).trim());
            String credentials = new String(decoded, StandardCharsets.UTF_8);
            byte[] password = credentials.substring(credentials.indexOf(':') + 1).getBytes(StandardCharsets.UTF_8);
            return MessageDigest.isEqual(expected, MessageDigest.getInstance("SHA-256").digest(password));
        } catch (IllegalArgumentException e) {
            return false;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class Guarded extends RestHandler.Wrapper {

        private final RestHandler inner;

        Guarded(RestHandler inner) {
            super(inner);
            this.inner = inner;
        }

        @Override
        public void handleRequest(RestRequest request, RestChannel channel, NodeClient client) throws Exception {
            if (admits(request.header("Authorization"))) {
                inner.handleRequest(request, channel, client);
                return;
            }
            BytesRestResponse refusal = new BytesRestResponse(RestStatus.UNAUTHORIZED, "This node needs its password.");
            refusal.addHeader("WWW-Authenticate", "Basic realm=\"aspectra\"");
            channel.sendResponse(refusal);
        }
    }
}
