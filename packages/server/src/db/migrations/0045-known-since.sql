-- When the earliest event happened that said whose a processor's id is, whatever it said. Null is `seen_at`.

lock table processor_identities in access exclusive mode;

alter table processor_identities add column known_since timestamptz;
