import { useQuery } from "@tanstack/react-query";
import { parseClusterPath, resourcePath } from "../api/cluster-path.ts";
import { queries } from "../api/queries.ts";

/** Remedy for a person without the role `elevated`. It links to the page of the current cluster that activates the role. */
export function ElevationHint() {
  const { data: info } = useQuery(queries.info);
  if (!info || info.elevated) return null;
  if (!info.mayElevate)
    return <>Your groups do not grant the role elevated. Join such a group, sign out and sign in again.</>;
  const at = parseClusterPath(location.pathname);
  return (
    <>
      Activate the role elevated on the page{" "}
      {at ? <a href={`${resourcePath(at.cluster)}/actions`}>Actions</a> : "Actions of a cluster"}.
    </>
  );
}
