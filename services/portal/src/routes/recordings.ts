import type { ServiceDatabase } from "@keelson/model";
import { clusterIdOf } from "../clusters/find-cluster.ts";
import { portalErrors } from "../errors/portal-errors.ts";
import { findRecording, readRecordings } from "../history/recordings.ts";
import { clusterPath, type PortalContext, type PortalRoute } from "../http/portal-route.ts";

/**
 * Routes for recordings of terminals and commands. They require an elevation. The audit records each person who reads a
 * recording.
 */
export function recordingRoutes(database: ServiceDatabase): readonly PortalRoute[] {
  const of = (context: PortalContext) => ({
    subscription: context.parameter("subscription"),
    cluster: clusterIdOf(context),
  });
  return [
    {
      method: "GET",
      path: `${clusterPath.data}/recordings`,
      access: "elevated",
      carriesClusterData: true,
      async handle(context) {
        const continuation = context.url.searchParams.get("continuation") ?? undefined;
        const page = { ...of(context), continuation };
        return { status: 200, json: await readRecordings(database, page, context.signal) };
      },
    },
    {
      method: "GET",
      path: `${clusterPath.data}/recordings/{recording}`,
      access: "elevated",
      carriesClusterData: true,
      async handle(context) {
        const id = context.parameter("recording");
        const text = await findRecording(database, { ...of(context), id }, context.signal);
        if (text === undefined) throw portalErrors.NotFound("The cluster has no such recording.");
        const file = `${context.parameter("name")}-${id}.cast`.replace(/[^a-z0-9.-]/g, "_");
        return {
          status: 200,
          text,
          headers: {
            "content-type": "application/x-asciicast",
            "content-disposition": `attachment; filename="${file}"`,
          },
        };
      },
    },
  ];
}
