-- Creatives: files, links and texts that partners use.
lock table programs, partner_groups in share row exclusive mode;

create table creatives (
  id bigint generated always as identity primary key,
  program_id bigint not null references programs (id),
  kind text not null check (kind in ('file', 'link', 'text')),
  title text not null,
  status text not null default 'draft' check (status in ('draft', 'published')),
  -- The only group that sees it. Null for all partners.
  group_id bigint references partner_groups (id),
  -- From 1, without the same position twice except while a node puts them in order.
  position integer not null,
  url text,
  text text,
  created_at timestamptz not null,
  constraint one_content check ((url is not null) = (kind = 'link') and (text is not null) = (kind = 'text'))
);
create index creatives_by_program on creatives (program_id, position, id);
create index creatives_by_group on creatives (group_id) where group_id is not null;

-- Their files, apart from them: lists do not read the content.
create table creative_files (
  creative_id bigint primary key references creatives (id) on delete cascade,
  program_id bigint not null references programs (id),
  name text not null,
  media_type text not null,
  size_bytes integer not null check (size_bytes > 0),
  width integer,
  height integer,
  sha256 text not null,
  content_base64 text not null
);
create index creative_files_by_program on creative_files (program_id);
