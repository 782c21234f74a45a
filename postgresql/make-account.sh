#!/bin/sh
# Of the image's first start, which has read POSTGRES_PASSWORD from its file: the application's account, which owns its own database and may do nothing else. The
# superuser that makes it loses its password: it comes in by the socket of the container alone.
set -eu
psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres <<'SQL'
\getenv password POSTGRES_PASSWORD
CREATE ROLE aspectra LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD :'password';
CREATE DATABASE aspectra OWNER aspectra;
REVOKE ALL ON DATABASE aspectra, postgres, template1 FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
