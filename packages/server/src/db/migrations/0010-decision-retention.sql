lock table decisions in share mode;

-- Attempts that changed nothing are kept for a shorter time than the others. Only they are in this index.
create index decisions_short_lived on decisions (created_at) where outcome in ('refused', 'unchanged');
