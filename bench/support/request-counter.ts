import { Agent, request } from "undici";
import { parse } from "yaml";

/** Returns the number of served requests with matching labels from the API server's metrics. */
export async function requestCounter(
  kubeconfig: string,
  labels: (text: string) => boolean,
): Promise<() => Promise<number>> {
  const { clusters, users } = parse(kubeconfig);
  const { server, "certificate-authority-data": ca } = clusters[0].cluster;
  const { "client-certificate-data": cert, "client-key-data": key } = users[0].user;
  const decode = (data: string) => Buffer.from(data, "base64").toString();
  const dispatcher = new Agent({
    connect: {
      ...(ca ? { ca: decode(ca) } : { rejectUnauthorized: false }),
      cert: decode(cert),
      key: decode(key),
    },
  });
  return async () => {
    const { body } = await request(`${server}/metrics`, { dispatcher });
    const text = await body.text();
    const all = [...text.matchAll(/^apiserver_request_total\{(.*)\} (\d+)/gm)];
    const counted = all.filter(([, each = ""]) => labels(each));
    return counted.reduce((sum, [, , count]) => sum + Number(count), 0);
  };
}
