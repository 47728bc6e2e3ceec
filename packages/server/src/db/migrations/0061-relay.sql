-- First-party relays: servers of a brand that pass their visitors' clicks on and set the click cookie themselves.

lock table clicks in access exclusive mode;
lock table clicks_other_months in access exclusive mode;

-- Null in what nodes of an earlier release record. They know no relays.
alter table clicks add column is_relayed boolean;
