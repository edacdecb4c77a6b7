import { documentsInTables, type Query } from "../../e2e/support/stored-documents.ts";
import type { SharedDocuments } from "./shared-documents.ts";

/** Returns access to documents in SQL tables. Each row contains a document, its lease and its queue position. */
export function sqlDocuments(query: Query): Pick<SharedDocuments, "list" | "editIdleCluster"> {
  return {
    ...documentsInTables(query),
    async editIdleCluster(name, change) {
      const { rows } = await query(
        "select id, etag::text as etag, body::text as body from openshift_clusters" +
          " where body::jsonb->'openShiftCluster'->>'name' = $1 and lease_owner is null and queued_at is null",
        [name],
      );
      const [found] = rows;
      if (!found) return false;
      const changed = await query(
        "update openshift_clusters set etag = nextval('document_etag'), body = $3::json" +
          " where id = $1 and etag::text = $2 and lease_owner is null and queued_at is null returning id",
        [found.id, found.etag, JSON.stringify(change(JSON.parse(String(found.body))))],
      );
      return changed.rows.length === 1;
    },
  };
}
