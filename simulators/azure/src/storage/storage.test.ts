import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, test } from "node:test";
import { setDefaultCACertificates } from "node:tls";
import { type StorageAccountCreateParameters, StorageManagementClient } from "@azure/arm-storage";
import {
  AccountSASPermissions,
  AccountSASResourceTypes,
  AccountSASServices,
  AnonymousCredential,
  BlobSASPermissions,
  BlobServiceClient,
  generateAccountSASQueryParameters,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import { createCertificateAuthority, issueCertificate } from "@keelson/base";
import { blobDataContributorRole, ownerRole } from "../authorization/built-in-roles.ts";
import { azureHostNames } from "../proxy/azure-hosts.ts";
import { armArguments, makeGroup, refusal, testCredential } from "../testing/sdk.ts";
import {
  location,
  startTestAzure,
  subscriptionId,
  type TestAzure,
  type TestPrincipal,
} from "../testing/test-azure.ts";

let azure: TestAzure;
let storage: StorageManagementClient;
before(async () => {
  azure = await startTestAzure({ pageSize: 2 });
  storage = new StorageManagementClient(...armArguments(azure));
  await makeGroup(azure, "g");
  await makeGroup(azure, "other");
});
after(() => azure[Symbol.asyncDispose]());

const plain: StorageAccountCreateParameters = {
  location,
  kind: "StorageV2",
  sku: { name: "Standard_LRS" },
};

async function makeAccount(name: string, change: Partial<StorageAccountCreateParameters> = {}) {
  return storage.storageAccounts.create("g", name, { ...plain, ...change });
}

const clientOptions = (at = azure) => ({ tlsOptions: { ca: at.caPem }, retryOptions: { maxTries: 1 } });

function withToken(account: string, as?: TestPrincipal): BlobServiceClient {
  return new BlobServiceClient(`${azure.url}/${account}`, testCredential(azure, as), clientOptions());
}

async function keyOf(account: string): Promise<StorageSharedKeyCredential> {
  const { keys = [] } = await storage.storageAccounts.listKeys("g", account);
  return new StorageSharedKeyCredential(account, keys[0]?.value ?? "");
}

test("an account is created, read, changed, listed and deleted", async () => {
  const made = await makeAccount("lifecycle", { minimumTlsVersion: "TLS1_2", tags: { a: "b" } });
  assert.equal(made.provisioningState, "Succeeded");
  assert.equal(made.primaryEndpoints?.blob, `${azure.url}/lifecycle/`);
  assert.deepEqual([made.sku?.tier, made.networkRuleSet?.defaultAction], ["Standard", "Allow"]);
  const changed = await storage.storageAccounts.update("g", "lifecycle", { allowSharedKeyAccess: false });
  assert.deepEqual([changed.allowSharedKeyAccess, changed.tags], [false, { a: "b" }]);
  for (const name of ["lifecycle2", "lifecycle3"]) await makeAccount(name);
  const names = (await Array.fromAsync(storage.storageAccounts.listByResourceGroup("g"))).map(
    (each) => each.name,
  );
  assert.ok(
    ["lifecycle", "lifecycle2", "lifecycle3"].every((name) => names.includes(name)),
    "over several pages",
  );
  const all = await Array.fromAsync(storage.storageAccounts.list());
  assert.ok(all.length >= 3);
  const [usage] = await Array.fromAsync(storage.usages.listByLocation(location));
  assert.deepEqual([usage?.name?.value, usage?.currentValue], ["StorageAccounts", all.length]);
  await storage.storageAccounts.delete("g", "lifecycle");
  await storage.storageAccounts.delete("g", "lifecycle");
  await assert.rejects(
    storage.storageAccounts.getProperties("g", "lifecycle"),
    refusal(404, "ResourceNotFound"),
  );
});

test("an account name is unique, and its availability can be checked", async () => {
  await makeAccount("singular");
  const check = async (name: string) => {
    const response = await storage.storageAccounts.checkNameAvailability({
      name,
      type: "Microsoft.Storage/storageAccounts",
    });
    return [response.nameAvailable, response.reason];
  };
  assert.deepEqual(await check("singular"), [false, "AlreadyExists"]);
  assert.deepEqual(await check("plural"), [true, undefined]);
  assert.deepEqual(await check("Not_a_name"), [false, "AccountNameInvalid"]);
  await assert.rejects(
    storage.storageAccounts.create("other", "singular", plain),
    refusal(409, "StorageAccountInAnotherResourceGroup"),
  );
});

test("allowed subnets of an account must exist and have its service endpoint", async () => {
  const { network } = azure.clients;
  const addressSpace = { addressPrefixes: ["10.0.0.0/16"] };
  const subnets = [
    { name: "plain", addressPrefix: "10.0.0.0/24" },
    { name: "open", addressPrefix: "10.0.1.0/24", serviceEndpoints: [{ service: "Microsoft.Storage" }] },
  ];
  const vnet = await network.virtualNetworks.createOrUpdate("g", "vnet", { location, addressSpace, subnets });
  const letIn = (id: string | undefined) => ({
    networkRuleSet: {
      defaultAction: "Deny" as const,
      virtualNetworkRules: [{ virtualNetworkResourceId: id ?? "" }],
    },
  });
  const [closed, open] = vnet.subnets ?? [];
  await assert.rejects(
    makeAccount("walled", letIn(closed?.id)),
    refusal(400, "NetworkAclsValidationFailure"),
  );
  await assert.rejects(
    makeAccount("walled", letIn(`${open?.id}2`)),
    refusal(400, "NetworkAclsValidationFailure"),
  );
  const { networkRuleSet } = await makeAccount("walled", letIn(open?.id));
  assert.equal(networkRuleSet?.virtualNetworkRules?.[0]?.state, "Succeeded");
  assert.equal(networkRuleSet?.defaultAction, "Deny");
});

test("an account with the name of a different path of the listener is still reachable", async () => {
  const { primaryEndpoints } = await makeAccount("vaults");
  assert.equal(primaryEndpoints?.blob, `${azure.url}/blobs/vaults/`);
  const client = new BlobServiceClient(primaryEndpoints?.blob ?? "", await keyOf("vaults"), clientOptions());
  await client.createContainer("box");
  assert.deepEqual(await Array.fromAsync(client.listContainers(), ({ name }) => name), ["box"]);
});

test("containers that were created through ARM or the data plane are visible in both", async () => {
  await makeAccount("doors");
  await storage.blobContainers.create("g", "doors", "one", {});
  const client = withToken("doors");
  await client.getContainerClient("two").create({ metadata: { owner: "me" } });
  await client.getContainerClient("three").createIfNotExists();
  const listed = await Array.fromAsync(storage.blobContainers.list("g", "doors"));
  assert.deepEqual(
    listed.map(({ name }) => name),
    ["one", "three", "two"],
  );
  const names = await Array.fromAsync(client.listContainers(), ({ name }) => name);
  assert.deepEqual(names, ["one", "three", "two"]);
  assert.deepEqual((await storage.blobContainers.get("g", "doors", "two")).metadata, { owner: "me" });
  await assert.rejects(client.getContainerClient("one").create(), refusal(409, "ContainerAlreadyExists"));
  await client.getContainerClient("one").delete();
  await storage.blobContainers.delete("g", "doors", "two");
  assert.equal(await client.getContainerClient("two").exists(), false);
  await assert.rejects(client.getContainerClient("x").create(), refusal(400, "InvalidResourceName"));
  await assert.rejects(
    client.getContainerClient("one").getBlockBlobClient("graph").upload("x", 1),
    refusal(404, "ContainerNotFound"),
  );
});

test("a blob is written, read completely and partially under its etag, and deleted", async () => {
  await makeAccount("whole");
  const container = withToken("whole").getContainerClient("aro");
  await container.create();
  const blob = container.getBlockBlobClient("folder/graph");
  assert.equal(blob.containerName, "aro");
  assert.equal(blob.name, "folder/graph");
  const bytes = Buffer.from([0, 255, 10, 13, 200]);
  const made = await blob.uploadData(bytes, {
    blobHTTPHeaders: { blobContentType: "application/json", blobCacheControl: "no-store" },
    metadata: { cluster: "demo" },
  });
  assert.deepEqual(await blob.downloadToBuffer(), bytes);
  assert.deepEqual(await blob.downloadToBuffer(1, 3), bytes.subarray(1, 4));
  const properties = await blob.getProperties();
  assert.equal(properties.etag, made.etag);
  assert.deepEqual(
    [properties.contentLength, properties.contentType, properties.cacheControl, properties.metadata],
    [5, "application/json", "no-store", { cluster: "demo" }],
  );
  const conditions = { ifMatch: made.etag ?? "" };
  await blob.upload("new", 3, { conditions });
  await assert.rejects(blob.upload("newer", 5, { conditions }), refusal(412, "ConditionNotMet"));
  await assert.rejects(
    blob.upload("again", 5, { conditions: { ifNoneMatch: "*" } }),
    refusal(409, "BlobAlreadyExists"),
  );
  await blob.setMetadata({ cluster: "other" });
  assert.deepEqual((await blob.getProperties()).metadata, { cluster: "other" });
  await blob.delete();
  assert.equal(await blob.exists(), false);
  await assert.rejects(blob.download(), refusal(404, "BlobNotFound"));
});

test("a blob of one large write is read from any place", async () => {
  await makeAccount("large");
  const container = withToken("large").getContainerClient("content");
  await container.create();
  const size = 70 * 1024 * 1024;
  const chunk = Buffer.from(Array.from({ length: 1024 }, (_, at) => at % 251));
  const content = Readable.from(
    (function* () {
      for (let sent = 0; sent < size; sent += chunk.length) yield chunk;
    })(),
    { objectMode: false },
  );
  const blob = container.getBlockBlobClient("folder/large");
  await blob.upload(() => content, size);
  assert.equal((await blob.getProperties()).contentLength, size);
  const { readableStreamBody, contentRange } = await blob.download(size - 1030, 8);
  assert.equal(contentRange, `bytes ${size - 1030}-${size - 1023}/${size}`);
  assert.deepEqual(
    Buffer.concat(await Array.fromAsync(readableStreamBody ?? [], (each) => Buffer.from(each))),
    Buffer.from([...chunk.subarray(1018), ...chunk.subarray(0, 2)]),
  );
});

test("a blob is put together from blocks", async () => {
  await makeAccount("blocks");
  const container = withToken("blocks").getContainerClient("box");
  await container.create();
  const blob = container.getBlockBlobClient("big");
  const id = (n: number) => Buffer.from(`block-${n}`).toString("base64");
  await blob.stageBlock(id(1), "one ", 4);
  await blob.stageBlock(id(2), "two ", 4);
  assert.equal((await blob.getBlockList("uncommitted")).uncommittedBlocks?.length, 2);
  await blob.commitBlockList([id(2), id(1)]);
  assert.equal(String(await blob.downloadToBuffer()), "two one ");
  await blob.stageBlock(id(3), "three", 5);
  await blob.commitBlockList([id(1), id(3)]);
  assert.equal(String(await blob.downloadToBuffer()), "one three");
  assert.deepEqual(
    (await blob.getBlockList("committed")).committedBlocks?.map(({ name, size }) => [name, size]),
    [
      [id(1), 4],
      [id(3), 5],
    ],
  );
  await assert.rejects(blob.commitBlockList([id(9)]), refusal(400, "InvalidBlockList"));
  const { token } = await testCredential(azure).getToken("https://storage.azure.com/.default");
  const broken = await azure.raw("/blocks/box/big?comp=blocklist", {
    method: "PUT",
    headers: { authorization: `Bearer ${token}`, "x-ms-version": "2021-08-06" },
    body: `<BlockList><Latest>${id(1)}</BlockList>`,
  });
  assert.deepEqual([broken.status, broken.headers["x-ms-error-code"]], [400, "InvalidXmlDocument"]);
  assert.equal(String(await blob.downloadToBuffer()), "one three", "what is not XML changes no blob");
});

test("blobs are listed by prefix, page by page and as a tree", async () => {
  await makeAccount("lists");
  const container = withToken("lists").getContainerClient("box");
  await container.create();
  for (const name of ["a/1", "a/2", "b/1", "c&d"]) await container.uploadBlockBlob(name, name, name.length);
  const names = await Array.fromAsync(container.listBlobsFlat({ prefix: "a/" }), ({ name }) => name);
  assert.deepEqual(names, ["a/1", "a/2"]);
  const pages = await Array.fromAsync(container.listBlobsFlat().byPage({ maxPageSize: 3 }));
  assert.deepEqual(
    pages.map(({ segment }) => segment.blobItems.map(({ name }) => name)),
    [["a/1", "a/2", "b/1"], ["c&d"]],
  );
  const tree = await Array.fromAsync(container.listBlobsByHierarchy("/"), ({ kind, name }) => [kind, name]);
  assert.deepEqual(tree, [
    ["prefix", "a/"],
    ["prefix", "b/"],
    ["blob", "c&d"],
  ]);
});

test("an account key grants access until it is renewed, unless keys are disabled", async () => {
  await makeAccount("keyed");
  const key = await keyOf("keyed");
  const client = new BlobServiceClient(`${azure.url}/keyed`, key, clientOptions());
  const container = client.getContainerClient("box");
  await container.create({ metadata: { a: "b", a1: "c" } });
  await container.uploadBlockBlob("x y&z", "hello", 5);
  assert.equal((await Array.fromAsync(container.listBlobsFlat({ includeMetadata: true })))[0]?.name, "x y&z");
  await storage.storageAccounts.regenerateKey("g", "keyed", { keyName: "key1" });
  await assert.rejects(container.getProperties(), refusal(403, "AuthenticationFailed"));
  const renewed = new BlobServiceClient(`${azure.url}/keyed`, await keyOf("keyed"), clientOptions());
  await renewed.getContainerClient("box").getProperties();
  await storage.storageAccounts.update("g", "keyed", { allowSharedKeyAccess: false });
  await assert.rejects(
    renewed.getContainerClient("box").delete(),
    refusal(403, "KeyBasedAuthenticationNotPermitted"),
  );
});

const soon = () => new Date(Date.now() + 3_600_000);

test("a signed address of the account allows the signed operations", async () => {
  await makeAccount("signed");
  const key = await keyOf("signed");
  const open = (query: string) =>
    new BlobServiceClient(`${azure.url}/signed?${query}`, new AnonymousCredential(), clientOptions());
  const own = generateAccountSASQueryParameters(
    {
      services: AccountSASServices.parse("b").toString(),
      resourceTypes: AccountSASResourceTypes.parse("co").toString(),
      permissions: AccountSASPermissions.parse("rwc"),
      expiresOn: soon(),
    },
    key,
  );
  const container = open(own.toString()).getContainerClient("box");
  await container.create();
  await container.uploadBlockBlob("b", "hello", 5);
  await assert.rejects(container.deleteBlob("b"), refusal(403, "AuthorizationPermissionMismatch"));
  await assert.rejects(
    Array.fromAsync(open(own.toString()).listContainers()),
    refusal(403, "AuthorizationResourceTypeMismatch"),
  );
  const { accountSasToken = "" } = await storage.storageAccounts.listAccountSAS("g", "signed", {
    services: "b",
    resourceTypes: "sco",
    permissions: "rl",
    sharedAccessExpiryTime: soon(),
  });
  const reader = open(accountSasToken);
  assert.equal((await Array.fromAsync(reader.listContainers())).length, 1);
  assert.equal(String(await reader.getContainerClient("box").getBlobClient("b").downloadToBuffer()), "hello");
  const tampered = open(accountSasToken.replace("sp=rl", "sp=rwl"));
  await assert.rejects(Array.fromAsync(tampered.listContainers()), refusal(403, "AuthenticationFailed"));
});

test("a signed address of a blob allows only that blob, until it expires", async () => {
  await makeAccount("single");
  const key = await keyOf("single");
  const container = withToken("single").getContainerClient("box");
  await container.create();
  for (const name of ["a/b", "other"]) await container.uploadBlockBlob(name, name, name.length);
  const sign = (expiresOn: Date) =>
    generateBlobSASQueryParameters(
      { containerName: "box", blobName: "a/b", permissions: BlobSASPermissions.parse("r"), expiresOn },
      key,
    ).toString();
  const read = (name: string, query: string) => azure.raw(`/single/box/${name}?${query}`);
  assert.equal((await read("a/b", sign(soon()))).text, "a/b");
  assert.equal((await read("other", sign(soon()))).status, 403);
  assert.equal((await read("a/b", sign(new Date(Date.now() - 1_000)))).status, 403);
});

test("a principal signs addresses with a delegation key, which grant at most its rights", async () => {
  const account = await makeAccount("delegated");
  const signer = await azure.register();
  const service = withToken("delegated", signer);
  const container = withToken("delegated").getContainerClient("box");
  await container.create();
  for (const name of ["a", "other"]) await container.uploadBlockBlob(name, name, name.length);
  const scope = account.id ?? "";
  const role = await azure.assign(signer.objectId, { role: blobDataContributorRole, scope });
  const key = await service.getUserDelegationKey(new Date(Date.now() - 60_000), soon());
  assert.equal(key.signedObjectId, signer.objectId);
  const what = { containerName: "box", blobName: "a", permissions: BlobSASPermissions.parse("r") };
  for (const version of [undefined, "2021-08-06", "2025-11-05"]) {
    const values = { ...what, expiresOn: soon(), ...(version ? { version } : {}) };
    const query = generateBlobSASQueryParameters(values, key, "delegated").toString();
    assert.equal((await azure.raw(`/delegated/box/a?${query}`)).text, "a", version);
    assert.equal((await azure.raw(`/delegated/box/other?${query}`)).status, 403);
    assert.equal((await azure.raw(`/delegated/box/a?${query.replace("sp=r", "sp=rw")}`)).status, 403);
  }
  await assert.rejects(
    service.getUserDelegationKey(new Date(), new Date(Date.now() + 8 * 86_400_000)),
    refusal(400, "InvalidXmlNodeValue"),
  );
  const query = generateBlobSASQueryParameters({ ...what, expiresOn: soon() }, key, "delegated").toString();
  assert.equal((await azure.raw(`/delegated/box/a?${query}`)).status, 200);
  await azure.arm("DELETE", `${role}?api-version=2022-04-01`);
  assert.equal((await azure.raw(`/delegated/box/a?${query}`)).status, 403);
});

test("a principal needs a role for data, at the container, the account or above", async () => {
  const account = await makeAccount("rights");
  await withToken("rights").getContainerClient("box").create();
  const owner = await azure.register({ role: ownerRole });
  const container = withToken("rights", owner).getContainerClient("box");
  const upload = () => container.uploadBlockBlob("b", "x", 1);
  const mismatch = refusal(403, "AuthorizationPermissionMismatch");
  await assert.rejects(upload(), mismatch, "an owner of resources has no right on the data in them");
  const places = [`${account.id}/blobServices/default/containers/box`, account.id, groupOf(account.id)];
  for (const scope of places) {
    const id = await azure.assign(owner.objectId, { role: blobDataContributorRole, scope: scope ?? "" });
    await upload();
    await azure.arm("DELETE", `${id}?api-version=2022-04-01`);
    await assert.rejects(upload(), mismatch, scope);
  }
});

test("an account that is not a resource accepts principals with a data role at the subscription", async () => {
  const stranger = await azure.register();
  const box = (as?: TestPrincipal) =>
    new BlobServiceClient(
      `${azure.url}/blobs/nowhere`,
      testCredential(azure, as),
      clientOptions(),
    ).getContainerClient("box");
  await box().uploadBlockBlob("b", "x", 1);
  const refused = refusal(403, "AuthorizationPermissionMismatch");
  await assert.rejects(box(stranger).uploadBlockBlob("b", "y", 1), refused);
  await assert.rejects(box(stranger).getBlobClient("b").download(), { statusCode: 403 });
});

function groupOf(id = ""): string {
  return id.split("/").slice(0, 5).join("/");
}

test("a static website serves its container", async () => {
  await makeAccount("site");
  const client = withToken("site");
  await client.setProperties({ staticWebsite: { enabled: true, indexDocument: "index.html" } });
  assert.equal((await client.getProperties()).staticWebsite?.indexDocument, "index.html");
  await client
    .getContainerClient("$web")
    .getBlockBlobClient(".well-known/openid-configuration")
    .upload("{}", 2, {
      blobHTTPHeaders: { blobContentType: "application/json" },
    });
  const response = await azure.raw("/web/site/.well-known/openid-configuration");
  assert.deepEqual(
    [response.status, response.text, response.headers["content-type"]],
    [200, "{}", "application/json"],
  );
  assert.equal((await azure.raw("/web/site/none")).status, 404);
});

test("faults of storage also apply to accounts at the listener's address", async () => {
  await makeAccount("faulty");
  await withToken("faulty").createContainer("box");
  azure.change({ faults: { busy: { kind: "throttled", service: "storage" } } });
  try {
    await assert.rejects(withToken("faulty").getContainerClient("box").getProperties(), { statusCode: 429 });
  } finally {
    azure.change({ faults: null });
  }
  await withToken("faulty").getContainerClient("box").getProperties();
});

test("unsigned requests are rejected with errors in XML", async () => {
  await makeAccount("closed");
  const response = await azure.raw("/closed/c/b", { headers: { "x-ms-version": "2021-08-06" } });
  assert.equal(response.status, 401);
  assert.match(response.text, /^<\?xml .*<Error><Code>NoAuthenticationInformation<\/Code>/);
  assert.match(String(response.headers["www-authenticate"]), /^Bearer authorization_uri="/);
  const token = await azure.clients.getToken(AbortSignal.timeout(900_000));
  const other = { authorization: `Bearer ${token}`, "x-ms-version": "2021-08-06" };
  assert.equal((await azure.raw("/closed?comp=list", { headers: other })).status, 401, "a token for ARM");
  assert.equal((await azure.raw("/blobs/closed")).status, 401, "missing accounts are not revealed");
  assert.equal((await azure.raw("/web/closed", { method: "PUT" })).status, 405);
});

test("through the proxy, accounts have the names that they have in Azure", async () => {
  const authority = await createCertificateAuthority("storage test CA", 1);
  setDefaultCACertificates([authority.certificatePem]);
  const dnsNames = azureHostNames;
  const tls = await issueCertificate(authority, {
    commonName: "azure",
    dnsNames,
    usage: "server",
    validDays: 1,
  });
  await using other = await startTestAzure({ proxy: { host: "127.0.0.1", port: 0, tls } });
  await makeGroup(other, "g");
  const proxyOptions = { host: "http://127.0.0.1", port: other.proxyPort ?? 0 };
  const [credential] = armArguments(other);
  const arm = new StorageManagementClient(credential, subscriptionId, { proxyOptions }).storageAccounts;
  const { primaryEndpoints } = await arm.create("g", "named", plain);
  assert.equal(primaryEndpoints?.blob, "https://named.blob.core.windows.net/");
  const { keys = [] } = await arm.listKeys("g", "named");
  const key = new StorageSharedKeyCredential("named", keys[0]?.value ?? "");
  const client = new BlobServiceClient(primaryEndpoints.blob, key, { proxyOptions });
  await client.getContainerClient("$web").create();
  const page = client.getContainerClient("$web").getBlockBlobClient("index.html");
  await page.upload("hello", 5);
  assert.equal(String(await page.downloadToBuffer()), "hello");
  assert.equal((await other.raw("/web/named/index.html")).text, "hello");
  assert.equal(primaryEndpoints.web, "https://named.z13.web.core.windows.net/");
});

test("blobs survive a restart, and those of a deleted account are not restored", async () => {
  const directory = await mkdtemp(join(tmpdir(), "sim-azure-storage-"));
  const state = { kind: "file", path: join(directory, "azure.db") } as const;
  const open = (at: TestAzure) =>
    new BlobServiceClient(`${at.url}/kept`, testCredential(at), clientOptions(at)).getContainerClient("aro");
  try {
    {
      await using one = await startTestAzure({ state });
      await makeGroup(one, "g");
      await new StorageManagementClient(...armArguments(one)).storageAccounts.create("g", "kept", plain);
      await open(one).create();
      await open(one).uploadBlockBlob("graph", "sealed", 6);
    }
    await using two = await startTestAzure({ state });
    assert.equal(String(await open(two).getBlobClient("graph").downloadToBuffer()), "sealed");
    const client = new StorageManagementClient(...armArguments(two));
    await client.storageAccounts.delete("g", "kept");
    await client.storageAccounts.create("g", "kept", plain);
    await open(two).create();
    assert.equal(await open(two).getBlobClient("graph").exists(), false);
  } finally {
    await rm(directory, { recursive: true });
  }
});
