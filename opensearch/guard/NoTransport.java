package org.aspectra.guard;

import java.util.List;
import java.util.Map;
import org.opensearch.cluster.node.DiscoveryNode;
import org.opensearch.common.lifecycle.AbstractLifecycleComponent;
import org.opensearch.core.action.ActionListener;
import org.opensearch.core.common.transport.BoundTransportAddress;
import org.opensearch.core.common.transport.TransportAddress;
import org.opensearch.transport.ConnectTransportException;
import org.opensearch.transport.ConnectionProfile;
import org.opensearch.transport.Transport;
import org.opensearch.transport.TransportMessageListener;
import org.opensearch.transport.TransportStats;

/**
 * The transport of a node that is alone: it listens nowhere and connects to nobody. What a node asks of itself does
 * not pass through a transport, which only keeps the handlers.
 */
final class NoTransport extends AbstractLifecycleComponent implements Transport {

    /** A node must state some address; nothing listens there. */
    private static final TransportAddress NOWHERE = new TransportAddress(TransportAddress.META_ADDRESS, 0);

    private final RequestHandlers requestHandlers = new RequestHandlers();
    private final ResponseHandlers responseHandlers = new ResponseHandlers();

    @Override
    public void setMessageListener(TransportMessageListener listener) {}

    @Override
    public BoundTransportAddress boundAddress() {
        return new BoundTransportAddress(new TransportAddress[] { NOWHERE }, NOWHERE);
    }

    @Override
    public Map<String, BoundTransportAddress> profileBoundAddresses() {
        return Map.of();
    }

    @Override
    public TransportAddress[] addressesFromString(String address) {
        return new TransportAddress[0];
    }

    @Override
    public List<String> getDefaultSeedAddresses() {
        return List.of();
    }

    @Override
    public void openConnection(DiscoveryNode node, ConnectionProfile profile, ActionListener<Connection> listener) {
        listener.onFailure(new ConnectTransportException(node, "this node is alone"));
    }

    @Override
    public TransportStats getStats() {
        return new TransportStats(0, 0, 0, 0, 0, 0);
    }

    @Override
    public ResponseHandlers getResponseHandlers() {
        return responseHandlers;
    }

    @Override
    public RequestHandlers getRequestHandlers() {
        return requestHandlers;
    }

    @Override
    protected void doStart() {}

    @Override
    protected void doStop() {}

    @Override
    protected void doClose() {}
}
