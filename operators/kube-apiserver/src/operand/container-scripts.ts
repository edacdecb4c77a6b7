import { certificateDir, configMapFile, resourceDir } from "../config/operand-paths.ts";

const logDir = "/var/log/kube-apiserver";
const lock = `${logDir}/.lock`;

/**
 * Returns a script that waits for the lock, which the previous API server releases when it exits. Kubelets may run the previous
 * and the new API server at the same time, and both could listen on the port.
 * If the lock is not released within the grace period, the script waits at most 10 s until the ports are free. If the ports are
 * still in use after that, the script fails. If the ports are free, the script waits for 65 more seconds, so that the last
 * requests can finish.
 */
export function setupScript(gracefulTerminationSeconds: number): string {
  return `chmod 0700 ${logDir} && touch ${logDir}/audit.log && chmod 0600 ${logDir}/*

exec {LOCK_FD}>${lock}
flock --verbose -w ${gracefulTerminationSeconds} "\${LOCK_FD}" || {
  echo "$(date -Iseconds -u) kubelet did not terminate old kube-apiserver before new one" >> ${logDir}/lock.log
  waited=0
  while [ -n "$(ss -Htan state listening '( sport = 6443 or sport = 6080 )')" ]; do
    waited=$((waited + 1))
    [ "\${waited}" -le 10 ] || { echo "ports 6443 and 6080 are still in use after 10 s"; exit 1; }
    sleep 1
  done
  sleep 65
}
flock -u "\${LOCK_FD}"
`;
}

const bundle = configMapFile(certificateDir, "trusted-ca-bundle", "ca-bundle.crt");

export function apiServerScript(gracefulTerminationSeconds: number, verbosity: number): string {
  const server = [
    "hyperkube kube-apiserver",
    `--openshift-config=${configMapFile(resourceDir, "config", "config.yaml")}`,
    `--advertise-address=\${HOST_IP}`,
    `-v=${verbosity}`,
    "--permit-address-sharing",
  ].join(" ");
  const termination = [
    "watch-termination",
    `--termination-touch-file=${logDir}/.terminating`,
    `--termination-log-file=${logDir}/termination.log`,
    `--graceful-termination-duration=${gracefulTerminationSeconds}s`,
    `--kubeconfig=${configMapFile(resourceDir, "kube-apiserver-cert-syncer-kubeconfig", "kubeconfig")}`,
  ].join(" ");
  return `exec {LOCK_FD}>${lock}
flock --verbose -w 30 "\${LOCK_FD}" || { echo "the setup container still holds ${lock}"; exit 1; }
[ ! -f ${bundle} ] || cp -f ${bundle} /etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem
exec ${termination} -- ${server}
`;
}
