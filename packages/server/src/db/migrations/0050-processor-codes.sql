-- When the event happened that said which code it is. Null: the time is not known, and any other word is later.

lock table processor_codes in access exclusive mode;

alter table processor_codes add column said_at timestamptz;
