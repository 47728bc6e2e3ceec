-- The packages and scripts that were downloaded under an address with their hash, kept for good: the lockfile of a site, or
-- the integrity attribute of its page, names the bytes of a release that this installation may no longer run.
create table downloads (
  path text collate "C" primary key,
  media_type text not null,
  content_base64 text not null,
  created_at timestamptz not null
);
