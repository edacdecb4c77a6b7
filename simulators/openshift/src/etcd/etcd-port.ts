/** Client port of etcd. */
export const etcdPort = 2_379;
