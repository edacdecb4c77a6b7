/**
 * Protocol buffer field numbers of embedded messages and of types that several kinds share. The format is that of `TypeFacts`.
 * Source: generated.proto and types.go in kubernetes/api, kubernetes/apimachinery, kubernetes/apiextensions-apiserver and
 * kubernetes/kube-aggregator. A published number never changes.
 */
export const sharedFieldNumbers = `
admissionregistration.v1.MatchCondition name=1* expression=2*
admissionregistration.v1.MatchResources namespaceSelector=1 objectSelector=2 resourceRules=3 excludeResourceRules=4 matchPolicy=7*
admissionregistration.v1.NamedRuleWithOperations resourceNames=1 +RuleWithOperations=2
admissionregistration.v1.Rule apiGroups=1 apiVersions=2 resources=3 scope=4*
admissionregistration.v1.RuleWithOperations operations=1 +Rule=2
admissionregistration.v1.ServiceReference namespace=1* name=2* path=3* port=4*
admissionregistration.v1.WebhookClientConfig url=3* service=1 caBundle=2
authentication.v1.UserInfo username=1 uid=2 groups=3 extra=4
authorization.v1.FieldSelectorAttributes rawSelector=1 requirements=2
authorization.v1.LabelSelectorAttributes rawSelector=1 requirements=2
authorization.v1.NonResourceAttributes path=1 verb=2
authorization.v1.ResourceAttributes namespace=1 verb=2 group=3 version=4 resource=5 subresource=6 name=7 fieldSelector=8 labelSelector=9
authorization.v1.SubjectAccessReviewSpec resourceAttributes=1 nonResourceAttributes=2 user=3 groups=4 extra=5 uid=6
authorization.v1.SubjectAccessReviewStatus allowed=1* denied=4 reason=2 evaluationError=3
autoscaling.v1.Scale metadata=1 spec=2 status=3
autoscaling.v1.ScaleSpec replicas=1
autoscaling.v1.ScaleStatus replicas=1* selector=2
core.v1.AWSElasticBlockStoreVolumeSource volumeID=1* fsType=2 partition=3 readOnly=4
core.v1.Affinity nodeAffinity=1 podAffinity=2 podAntiAffinity=3
core.v1.AppArmorProfile type=1* localhostProfile=2*
core.v1.AzureDiskVolumeSource diskName=1* diskURI=2* cachingMode=3* fsType=4* readOnly=5* kind=6*
core.v1.AzureFileVolumeSource secretName=1* shareName=2* readOnly=3
core.v1.CSIVolumeSource driver=1* readOnly=2* fsType=3* volumeAttributes=4 nodePublishSecretRef=5
core.v1.Capabilities add=1 drop=2
core.v1.CephFSVolumeSource monitors=1 path=2 user=3 secretFile=4 secretRef=5 readOnly=6
core.v1.CinderVolumeSource volumeID=1* fsType=2 readOnly=3 secretRef=4
core.v1.ClusterTrustBundleProjection name=1* signerName=2* labelSelector=3 optional=5* path=4*
core.v1.ConfigMapEnvSource +LocalObjectReference=1 optional=2*
core.v1.ConfigMapKeySelector +LocalObjectReference=1 key=2* optional=3*
core.v1.ConfigMapProjection +LocalObjectReference=1 items=2 optional=4*
core.v1.ConfigMapVolumeSource +LocalObjectReference=1 items=2 defaultMode=3* optional=4*
core.v1.Container name=1* image=2 command=3 args=4 workingDir=5 ports=6 envFrom=19 env=7 resources=8 resizePolicy=23 restartPolicy=24* restartPolicyRules=25 volumeMounts=9 volumeDevices=21 livenessProbe=10 readinessProbe=11 startupProbe=22 lifecycle=12 terminationMessagePath=13 terminationMessagePolicy=20 imagePullPolicy=14 securityContext=15 stdin=16 stdinOnce=17 tty=18
core.v1.ContainerPort name=1 hostPort=2 containerPort=3* protocol=4 hostIP=5
core.v1.ContainerResizePolicy resourceName=1* restartPolicy=2*
core.v1.ContainerRestartRule action=1 exitCodes=2
core.v1.ContainerRestartRuleOnExitCodes operator=1 values=2
core.v1.DownwardAPIProjection items=1
core.v1.DownwardAPIVolumeFile path=1* fieldRef=2 resourceFieldRef=3 mode=4*
core.v1.DownwardAPIVolumeSource items=1 defaultMode=2*
core.v1.EmptyDirVolumeSource medium=1 sizeLimit=2
core.v1.EnvFromSource prefix=1 configMapRef=2 secretRef=3
core.v1.EnvVar name=1* value=2 valueFrom=3
core.v1.EnvVarSource fieldRef=1 resourceFieldRef=2 configMapKeyRef=3 secretKeyRef=4 fileKeyRef=5
core.v1.EphemeralContainer +EphemeralContainerCommon=1 targetContainerName=2
core.v1.EphemeralContainerCommon name=1* image=2 command=3 args=4 workingDir=5 ports=6 envFrom=19 env=7 resources=8 resizePolicy=23 restartPolicy=24* restartPolicyRules=25 volumeMounts=9 volumeDevices=21 livenessProbe=10 readinessProbe=11 startupProbe=22 lifecycle=12 terminationMessagePath=13 terminationMessagePolicy=20 imagePullPolicy=14 securityContext=15 stdin=16 stdinOnce=17 tty=18
core.v1.EphemeralVolumeSource volumeClaimTemplate=1
core.v1.EventSource component=1 host=2
core.v1.ExecAction command=1
core.v1.FCVolumeSource targetWWNs=1 lun=2* fsType=3 readOnly=4 wwids=5
core.v1.FileKeySelector volumeName=1* path=2* key=3* optional=4*
core.v1.FlexVolumeSource driver=1* fsType=2 secretRef=3 readOnly=4 options=5
core.v1.FlockerVolumeSource datasetName=1 datasetUUID=2
core.v1.GCEPersistentDiskVolumeSource pdName=1* fsType=2 partition=3 readOnly=4
core.v1.GRPCAction port=1* service=2*
core.v1.GitRepoVolumeSource repository=1* revision=2 directory=3
core.v1.GlusterfsVolumeSource endpoints=1* path=2* readOnly=3
core.v1.HTTPGetAction path=1 port=2 host=3 scheme=4 httpHeaders=5
core.v1.HTTPHeader name=1* value=2*
core.v1.HostAlias ip=1* hostnames=2
core.v1.HostPathVolumeSource path=1* type=2*
core.v1.ISCSIVolumeSource targetPortal=1* iqn=2* lun=3* iscsiInterface=4 fsType=5 readOnly=6 portals=7 chapAuthDiscovery=8 chapAuthSession=11 secretRef=10 initiatorName=12*
core.v1.ImageVolumeSource reference=1 pullPolicy=2
core.v1.KeyToPath key=1* path=2* mode=3*
core.v1.Lifecycle postStart=1 preStop=2 stopSignal=3*
core.v1.LifecycleHandler exec=1 httpGet=2 tcpSocket=3 sleep=4
core.v1.LocalObjectReference name=1
core.v1.NFSVolumeSource server=1* path=2* readOnly=3
core.v1.NodeAffinity requiredDuringSchedulingIgnoredDuringExecution=1 preferredDuringSchedulingIgnoredDuringExecution=2
core.v1.NodeSelector nodeSelectorTerms=1
core.v1.NodeSelectorRequirement key=1* operator=2* values=3
core.v1.NodeSelectorTerm matchExpressions=1 matchFields=2
core.v1.ObjectFieldSelector apiVersion=1 fieldPath=2*
core.v1.ObjectReference kind=1 namespace=2 name=3 uid=4 apiVersion=5 resourceVersion=6 fieldPath=7
core.v1.PersistentVolumeClaimTemplate metadata=1 spec=2
core.v1.PersistentVolumeClaimVolumeSource claimName=1* readOnly=2
core.v1.PersistentVolumeSource gcePersistentDisk=1 awsElasticBlockStore=2 hostPath=3 glusterfs=4 nfs=5 rbd=6 iscsi=7 cinder=8 cephfs=9 fc=10 flocker=11 flexVolume=12 azureFile=13 vsphereVolume=14 quobyte=15 azureDisk=16 photonPersistentDisk=17 portworxVolume=18 scaleIO=19 local=20 storageos=21 csi=22
core.v1.PhotonPersistentDiskVolumeSource pdID=1* fsType=2
core.v1.PodAffinity requiredDuringSchedulingIgnoredDuringExecution=1 preferredDuringSchedulingIgnoredDuringExecution=2
core.v1.PodAffinityTerm labelSelector=1 namespaces=2 topologyKey=3* namespaceSelector=4 matchLabelKeys=5 mismatchLabelKeys=6
core.v1.PodAntiAffinity requiredDuringSchedulingIgnoredDuringExecution=1 preferredDuringSchedulingIgnoredDuringExecution=2
core.v1.PodCertificateProjection signerName=1 keyType=2 maxExpirationSeconds=3* credentialBundlePath=4 keyPath=5 certificateChainPath=6 userAnnotations=7
core.v1.PodDNSConfig nameservers=1 searches=2 options=3
core.v1.PodDNSConfigOption name=1 value=2*
core.v1.PodOS name=1*
core.v1.PodReadinessGate conditionType=1*
core.v1.PodResourceClaim name=1* resourceClaimName=3* resourceClaimTemplateName=4*
core.v1.PodSchedulingGate name=1*
core.v1.PodSchedulingGroup podGroupName=1*
core.v1.PodSecurityContext seLinuxOptions=1 windowsOptions=8 runAsUser=2* runAsGroup=6* runAsNonRoot=3* supplementalGroups=4 supplementalGroupsPolicy=12* fsGroup=5* sysctls=7 fsGroupChangePolicy=9* seccompProfile=10 appArmorProfile=11 seLinuxChangePolicy=13*
core.v1.PodSpec volumes=1 initContainers=20 containers=2 ephemeralContainers=34 restartPolicy=3 terminationGracePeriodSeconds=4* activeDeadlineSeconds=5* dnsPolicy=6 nodeSelector=7 serviceAccountName=8 serviceAccount=9 automountServiceAccountToken=21* nodeName=10 hostNetwork=11 hostPID=12 hostIPC=13 shareProcessNamespace=27* securityContext=14 imagePullSecrets=15 hostname=16 subdomain=17 affinity=18 schedulerName=19 tolerations=22 hostAliases=23 priorityClassName=24 priority=25* dnsConfig=26 readinessGates=28 runtimeClassName=29* enableServiceLinks=30* preemptionPolicy=31* overhead=32 topologySpreadConstraints=33 setHostnameAsFQDN=35* os=36 hostUsers=37* schedulingGates=38 resourceClaims=39 resources=40 hostnameOverride=41* schedulingGroup=43
core.v1.PortworxVolumeSource volumeID=1* fsType=2 readOnly=3
core.v1.PreferredSchedulingTerm weight=1* preference=2
core.v1.Probe +ProbeHandler=1 initialDelaySeconds=2 timeoutSeconds=3 periodSeconds=4 successThreshold=5 failureThreshold=6 terminationGracePeriodSeconds=7*
core.v1.ProbeHandler exec=1 httpGet=2 tcpSocket=3 grpc=4
core.v1.ProjectedVolumeSource sources=1 defaultMode=2*
core.v1.QuobyteVolumeSource registry=1* volume=2* readOnly=3 user=4 group=5 tenant=6
core.v1.RBDVolumeSource monitors=1 image=2* fsType=3 pool=4 user=5 keyring=6 secretRef=7 readOnly=8
core.v1.ResourceClaim name=1* request=2
core.v1.ResourceFieldSelector containerName=1 resource=2* divisor=3
core.v1.ResourceRequirements limits=1 requests=2 claims=3
core.v1.SELinuxOptions user=1 role=2 type=3 level=4
core.v1.ScaleIOVolumeSource gateway=1* system=2* secretRef=3 sslEnabled=4 protectionDomain=5 storagePool=6 storageMode=7 volumeName=8 fsType=9 readOnly=10
core.v1.SeccompProfile type=1* localhostProfile=2*
core.v1.SecretEnvSource +LocalObjectReference=1 optional=2*
core.v1.SecretKeySelector +LocalObjectReference=1 key=2* optional=3*
core.v1.SecretProjection +LocalObjectReference=1 items=2 optional=4*
core.v1.SecretReference name=1 namespace=2
core.v1.SecretVolumeSource secretName=1 items=2 defaultMode=3* optional=4*
core.v1.SecurityContext capabilities=1 privileged=2* seLinuxOptions=3 windowsOptions=10 runAsUser=4* runAsGroup=8* runAsNonRoot=5* readOnlyRootFilesystem=6* allowPrivilegeEscalation=7* procMount=9* seccompProfile=11 appArmorProfile=12
core.v1.ServiceAccountTokenProjection audience=1 expirationSeconds=2* path=3*
core.v1.SleepAction seconds=1*
core.v1.StorageOSVolumeSource volumeName=1 volumeNamespace=2 fsType=3 readOnly=4 secretRef=5
core.v1.Sysctl name=1* value=2*
core.v1.TCPSocketAction port=1 host=2
core.v1.Toleration key=1 operator=2 value=3 effect=4 tolerationSeconds=5*
core.v1.TopologySpreadConstraint maxSkew=1* topologyKey=2* whenUnsatisfiable=3* labelSelector=4 minDomains=5* nodeAffinityPolicy=6* nodeTaintsPolicy=7* matchLabelKeys=8
core.v1.TypedLocalObjectReference apiGroup=1* kind=2* name=3*
core.v1.TypedObjectReference apiGroup=1* kind=2* name=3* namespace=4*
core.v1.Volume name=1* +VolumeSource=2
core.v1.VolumeDevice name=1* devicePath=2*
core.v1.VolumeMount name=1* readOnly=2 recursiveReadOnly=7* mountPath=3* subPath=4 mountPropagation=5* subPathExpr=6
core.v1.VolumeNodeAffinity required=1
core.v1.VolumeProjection secret=1 downwardAPI=2 configMap=3 serviceAccountToken=4 clusterTrustBundle=5 podCertificate=6
core.v1.VolumeResourceRequirements limits=1 requests=2
core.v1.VolumeSource hostPath=1 emptyDir=2 gcePersistentDisk=3 awsElasticBlockStore=4 gitRepo=5 secret=6 nfs=7 iscsi=8 glusterfs=9 persistentVolumeClaim=10 rbd=11 flexVolume=12 cinder=13 cephfs=14 flocker=15 downwardAPI=16 fc=17 azureFile=18 configMap=19 vsphereVolume=20 quobyte=21 azureDisk=22 photonPersistentDisk=23 projected=26 portworxVolume=24 scaleIO=25 storageos=27 csi=28 ephemeral=29 image=30
core.v1.VsphereVirtualDiskVolumeSource volumePath=1* fsType=2 storagePolicyName=3 storagePolicyID=4
core.v1.WeightedPodAffinityTerm weight=1* podAffinityTerm=2
core.v1.WindowsSecurityContextOptions gmsaCredentialSpecName=1* gmsaCredentialSpec=2* runAsUserName=3* hostProcess=4*
meta.v1.Condition type=1* status=2* observedGeneration=3 lastTransitionTime=4 reason=5* message=6*
meta.v1.DeleteOptions gracePeriodSeconds=1* preconditions=2 orphanDependents=3* propagationPolicy=4* dryRun=5 ignoreStoreReadErrorWithClusterBreakingPotential=6*
meta.v1.FieldSelectorRequirement key=1* operator=2* values=3
meta.v1.LabelSelector matchLabels=1 matchExpressions=2
meta.v1.LabelSelectorRequirement key=1* operator=2* values=3
meta.v1.ListMeta selfLink=1 resourceVersion=2 continue=3 remainingItemCount=4* shardInfo=5
meta.v1.ManagedFieldsEntry manager=1 operation=2 apiVersion=3 time=4 fieldsType=6 fieldsV1=7 subresource=8
meta.v1.ObjectMeta name=1 generateName=2 namespace=3 selfLink=4 uid=5 resourceVersion=6 generation=7 creationTimestamp=8 deletionTimestamp=9 deletionGracePeriodSeconds=10* labels=11 annotations=12 ownerReferences=13 finalizers=14 managedFields=17
meta.v1.OwnerReference apiVersion=5* kind=1* name=3* uid=4* controller=6* blockOwnerDeletion=7*
meta.v1.PartialObjectMetadata metadata=1
meta.v1.Preconditions uid=1* resourceVersion=2*
meta.v1.ShardInfo selector=1*
meta.v1.Status metadata=1 status=2 message=3 reason=4 details=5 code=6
meta.v1.StatusCause reason=1 message=2 field=3
meta.v1.StatusDetails name=1 group=2 kind=3 uid=6 causes=4 retryAfterSeconds=5
networking.v1.IngressRuleValue http=1
rbac.v1.PolicyRule verbs=1 apiGroups=2 resources=3 resourceNames=4 nonResourceURLs=5
rbac.v1.RoleRef apiGroup=1* kind=2* name=3*
rbac.v1.Subject kind=1* apiGroup=2 name=3* namespace=4
`;
