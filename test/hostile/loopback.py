"""Servers of postgres_fdw that lead back to the server under test."""

from values import quoted

EXTENSIONS = ["CREATE EXTENSION IF NOT EXISTS dblink", "CREATE EXTENSION IF NOT EXISTS postgres_fdw"]


def server(name, user, application="loopback", database="current_database()"):
    """Statements of a superuser that make a server, on which a user runs what postgres sends."""
    return [
        *EXTENSIONS,
        f"DROP SERVER IF EXISTS {name} CASCADE",
        f"DO $$BEGIN EXECUTE format('CREATE SERVER {name} FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host %L, dbname %L,"
        f" application_name %L)', current_setting('unix_socket_directories'), {database}, {quoted(application)}); END$$",
        f"CREATE USER MAPPING FOR postgres SERVER {name} OPTIONS (user '{user}')",
    ]
