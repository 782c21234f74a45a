# The application: the web and worker services of compose.yaml.
# scripts/pin-images.sh gives both images by digest.
ARG BASE_IMAGE=python:3.12.13-slim-bookworm

FROM ${BASE_IMAGE} AS build

# For a hospital's own mirror: docker compose build --build-arg PIP_INDEX_URL=…
ARG PIP_INDEX_URL
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

RUN python -m venv /opt/aspectra
ENV PATH=/opt/aspectra/bin:$PATH

WORKDIR /src
COPY requirements.lock .
# Every file by its hash, the build backend among them.
RUN pip install --require-hashes --requirement requirements.lock
COPY . .
# With what is there: nothing can be fetched unchecked.
RUN --network=none pip install --no-deps --no-build-isolation .


# A second stage leaves the checkout and the build arguments behind.
FROM ${BASE_IMAGE}

# A new volume takes the folders over from the image, with their owner: "run" is where a worker,
# which may only read the volume, has a file system of its own mounted.
RUN useradd --uid 10001 --user-group --create-home --shell /usr/sbin/nologin aspectra \
    && install --directory --owner aspectra --group aspectra --mode 0700 \
        /var/lib/aspectra /var/lib/aspectra/run

COPY --from=build /opt/aspectra /opt/aspectra

ENV PATH=/opt/aspectra/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ASPECTRA_DATA_DIR=/var/lib/aspectra

USER 10001:10001
WORKDIR /var/lib/aspectra
CMD ["aspectra", "--help"]
