"""Rows of `-o table`."""

from azure.mgmt.core.tools import parse_resource_id


def cluster_rows(clusters):
    return [cluster_row(cluster) for cluster in clusters]


def cluster_row(cluster):
    workers = cluster.get("workerProfiles") or []
    return {
        "Name": cluster["name"],
        "ResourceGroup": parse_resource_id(cluster["id"])["resource_group"],
        "Location": cluster["location"],
        "ProvisioningState": cluster.get("provisioningState"),
        "WorkerCount": sum(profile.get("count") or 0 for profile in workers),
        # A cluster that is being created has no console yet.
        "URL": (cluster.get("consoleProfile") or {}).get("url"),
    }


def version_rows(versions):
    return [{"Version": version} for version in versions]
