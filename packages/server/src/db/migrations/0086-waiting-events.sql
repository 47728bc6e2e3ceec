-- Whoever learns about a payer looks for the events that wait for it, and must not read what was added to a list that nobody has sorted
-- yet: it grows with every event, up to megabytes.
lock table processor_events in access exclusive mode;

alter index processor_events_unknown set (fastupdate = off);
alter index processor_events_not_yet_customers set (fastupdate = off);

select gin_clean_pending_list('processor_events_unknown'), gin_clean_pending_list('processor_events_not_yet_customers');
