lock table customers in access exclusive mode;

-- Who vouches for a lead and its e-mail: the program's server or its payment processor ('server'), or only a web page ('page').
-- Null on rows of an earlier release, including those that its nodes still write during an update; their decisions say who
-- reported the lead.
alter table customers
  add column lead_source text check (lead_source in ('page', 'server')),
  add column email_source text check (email_source in ('page', 'server'));

-- Refused calls of web pages, counted by hour. Nothing else about them is stored.
create table refused_calls (
  program_id bigint not null,
  hour timestamptz not null,
  kind text not null check (kind in ('click', 'lead')),
  reason text not null,
  origin text not null,
  calls bigint not null,
  last_at timestamptz not null,
  primary key (program_id, hour, kind, reason, origin)
);
create index refused_calls_by_hour on refused_calls (hour);
