-- breaking: no
-- What fills these documents is sealed, and does not compress: trying costs more than it saves.
alter table openshift_clusters alter column body set storage external;
alter table async_operations alter column body set storage external;
