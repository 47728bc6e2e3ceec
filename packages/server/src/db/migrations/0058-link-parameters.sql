-- Parameters that name the partner in a program's links, besides `aff`. Nodes of an earlier release read none.

lock table programs in access exclusive mode;
alter table programs add column link_parameters text[] default '{}' not null;
