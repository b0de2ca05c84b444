# The official image of PostgreSQL with ted: docker build --build-arg POSTGRES=17 -t postgres-ted .
# BASE may be any Debian image with the packages of PostgreSQL.
ARG POSTGRES=17
ARG BASE=postgres:${POSTGRES}-bookworm

FROM ${BASE} AS build
ARG POSTGRES
RUN apt-get update && apt-get install -y --no-install-recommends \
      gcc libc6-dev make pkg-config libxml2-dev postgresql-server-dev-${POSTGRES}
COPY . /ted
WORKDIR /ted
RUN make -j"$(nproc)" with_llvm=no PG_CONFIG=/usr/lib/postgresql/${POSTGRES}/bin/pg_config \
 && make install with_llvm=no DESTDIR=/installed PG_CONFIG=/usr/lib/postgresql/${POSTGRES}/bin/pg_config

FROM ${BASE}
RUN apt-get update && apt-get install -y --no-install-recommends libxml2 && rm -rf /var/lib/apt/lists/*
COPY --from=build /installed/usr /usr
