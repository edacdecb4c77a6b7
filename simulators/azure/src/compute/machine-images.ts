import type { JsonObject } from "@keelson/base";
import { ArmError } from "../arm/arm-error.ts";
import { keyOf } from "../arm/arm-path.ts";
import { ok } from "../arm/exchange.ts";
import { normalizeLocation } from "../arm/locations.ts";
import type { ProviderView } from "../arm/provider.ts";
import type { Subscription } from "../arm/subscription.ts";
import { extensionPublishers } from "./machine-extensions.ts";

/** Marketplace images: publisher, offer, SKUs and versions. The names of generation 2 SKUs contain the generation. */
const catalog: readonly (readonly [publisher: string, offer: string, skus: string, versions: string])[] = [
  ["azureopenshift", "aro4", "aro_416", "416.94.20241021"],
  ["azureopenshift", "aro4", "aro_417 417-v2", "417.94.20240701"],
  ["azureopenshift", "aro4", "aro_418 418-v2", "418.94.20250122"],
  ["azureopenshift", "aro4", "aro_419 419-v2", "419.6.20250523"],
  ["azureopenshift", "aro4", "aro_420 aro_420-v2", "9.6.20251015"],
  ["Canonical", "0001-com-ubuntu-server-focal", "20_04-lts 20_04-lts-gen2", "20.04.202505200"],
  [
    "Canonical",
    "0001-com-ubuntu-server-jammy",
    "22_04-lts 22_04-lts-gen2",
    "22.04.202509010 22.04.202510020",
  ],
  ["Canonical", "ubuntu-24_04-lts", "server server-gen1", "24.04.202510010"],
  ["Debian", "debian-11", "11-backports-gen2", "0.20250703.2162"],
  ["Debian", "debian-12", "12 12-gen2", "0.20250703.2162"],
  ["MicrosoftWindowsServer", "WindowsServer", "2022-datacenter-g2", "20348.4171.250903"],
  ["RedHat", "RHEL", "8-lvm-gen2 9-lvm-gen2 9_4", "9.4.2025040316"],
];

interface Level {
  /** Path segment that precedes the name of a catalogue level in an image ID. */
  readonly segment: string;
  readonly kind: string;
}

const levels: readonly Level[] = [
  { segment: "Publishers", kind: "publisher" },
  { segment: "ArtifactTypes/VMImage/Offers", kind: "offer" },
  { segment: "Skus", kind: "SKU" },
  { segment: "Versions", kind: "version" },
];

/** Publisher, offer, SKU and version of each image. */
const images = catalog.flatMap(([publisher, offer, skus, versions]) =>
  skus.split(" ").flatMap((sku) => versions.split(" ").map((version) => [publisher, offer, sku, version])),
);

/**
 * Views of the image catalogue: the list of each level, and single versions. Example path:
 * `locations/eastus/publishers/Canonical/artifacttypes/vmimage/offers/...`.
 */
export const machineImageViews: Readonly<Record<string, ProviderView>> = Object.fromEntries(
  [
    "locations/publishers",
    "locations/publishers/artifacttypes/offers",
    "locations/publishers/artifacttypes/offers/skus",
    "locations/publishers/artifacttypes/offers/skus/versions",
  ].map((path, depth): [string, ProviderView] => [
    path,
    {
      method: "GET",
      run([place = "", ...names], request, subscription) {
        const location = normalizeLocation(place);
        const chosen = names.filter((_, index) => index !== 1);
        const found = below(chosen, location);
        if (chosen.length > depth) return ok(image(found[0] ?? chosen, location, subscription));
        const others = depth === 0 ? extensionPublishers : [];
        const wanted = [...new Set([...found.map((each) => each[depth] ?? ""), ...others])].sort();
        const descending = /desc/i.test(request.query.get("$orderby") ?? "");
        const top = Number(request.query.get("$top") ?? wanted.length);
        const shown = (descending ? wanted.reverse() : wanted).slice(0, top > 0 ? top : wanted.length);
        const isExpanded =
          /properties/i.test(request.query.get("$expand") ?? "") && depth === levels.length - 1;
        const show = isExpanded ? image : entry;
        return ok(shown.map((name) => show([...chosen, name], location, subscription)));
      },
    },
  ]),
);

/**
 * Returns the images that match `chosen`, which contains the values of the first levels: publisher, then offer, and so on.
 * @throws ArmError 404
 */
function below(chosen: readonly string[], location: string): readonly (readonly string[])[] {
  const found = images.filter((each) =>
    chosen.every((name, index) => keyOf(each[index] ?? "") === keyOf(name)),
  );
  if (found.length > 0) return found;
  throw new ArmError(
    404,
    "NotFound",
    `Artifact: VMImage was not found: there is no ${levels[chosen.length - 1]?.kind} '${chosen.at(-1)}' of images in ${location}.`,
  );
}

function entry(names: readonly string[], location: string, subscription: Subscription): JsonObject {
  const path = names.map((name, index) => `${levels[index]?.segment}/${name}`).join("/");
  const id = `/Subscriptions/${subscription.subscriptionId}/Providers/Microsoft.Compute/Locations/${location}/${path}`;
  return { location, name: names.at(-1) ?? "", id };
}

function image(names: readonly string[], location: string, subscription: Subscription): JsonObject {
  const [publisher = "", , sku = ""] = names;
  const isSecond = /(g(en)?|v)2$/.test(sku) || sku === "server";
  return {
    ...entry(names, location, subscription),
    properties: {
      osDiskImage: {
        operatingSystem: publisher.startsWith("MicrosoftWindows") ? "Windows" : "Linux",
        sizeInGb: 30,
      },
      dataDiskImages: [],
      architecture: "x64",
      hyperVGeneration: isSecond ? "V2" : "V1",
      automaticOSUpgradeProperties: { automaticOSUpgradeSupported: false },
      features: [],
      imageDeprecationStatus: { imageState: "Active" },
    },
  };
}
