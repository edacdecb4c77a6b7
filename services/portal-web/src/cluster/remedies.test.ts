import assert from "node:assert/strict";
import { test } from "node:test";
import { exampleOperations } from "../testing/example-history.ts";
import { failureOf } from "./remedies.ts";

const failed = (failedProvisioningState: string) => ({
  provisioningState: "Failed",
  failedProvisioningState,
});

test("a failed update has the error of its operation, the failed step and remedies", () => {
  assert.deepEqual(failureOf(failed("Updating"), exampleOperations), {
    title: "The update failed",
    cause: "InvalidServicePrincipalCredentials: The client secret of the cluster has expired.",
    step: "renewClientSecret",
    remedies: [
      "The customer renews the client secret: az aro update --refresh-credentials.",
      "Remove the cause. Then a PATCH request with the body {} repeats the update.",
    ],
  });
});

test("a failure with an unknown operation still has a next step", () => {
  for (const state of ["Creating", "Updating", "AdminUpdating", "Deleting"]) {
    const failure = failureOf(failed(state), []);
    assert.equal(failure?.cause, "");
    assert.equal(failure?.remedies.length, 1, state);
    assert.equal(failureOf(failed(state), undefined)?.remedies.length, 1);
  }
  assert.deepEqual(failureOf(failed(""), []), {
    title: "The last operation failed",
    cause: "",
    remedies: [],
  });
});

test("only a resumable creation is repeated", () => {
  assert.match(
    failureOf({ ...failed("Creating"), creationResumable: true }, [])?.remedies[0] ?? "",
    /resumes/,
  );
  assert.match(failureOf(failed("Creating"), [])?.remedies[0] ?? "", /deletes/);
});

test("a cluster that has not failed has no failure", () => {
  assert.equal(
    failureOf({ provisioningState: "Succeeded", failedProvisioningState: "Updating" }, exampleOperations),
    undefined,
  );
});
