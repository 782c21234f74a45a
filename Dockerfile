# The application: the web and worker services of compose.yaml.
FROM python:3.12-slim AS build

# For a hospital's own mirror: docker compose build --build-arg PIP_INDEX_URL=…
ARG PIP_INDEX_URL
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1

RUN python -m venv /opt/aspectra
ENV PATH=/opt/aspectra/bin:$PATH

WORKDIR /src
COPY requirements.lock .
RUN pip install --require-hashes --requirement requirements.lock
COPY . .
RUN pip install --no-deps .


# A second stage leaves the checkout and the build arguments behind.
FROM python:3.12-slim

RUN useradd --uid 10001 --user-group --create-home --shell /usr/sbin/nologin aspectra \
    && install --directory --owner aspectra --group aspectra --mode 0700 /var/lib/aspectra

COPY --from=build /opt/aspectra /opt/aspectra

ENV PATH=/opt/aspectra/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    ASPECTRA_DATA_DIR=/var/lib/aspectra

USER 10001:10001
WORKDIR /var/lib/aspectra
CMD ["aspectra", "--help"]
