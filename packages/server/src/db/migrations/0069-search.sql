-- Orders and links are found by the start of their names, each program's among its own: ids of a payment processor begin alike.
lock table transactions, links in share mode;

create index transactions_by_program on transactions (program_id, processor_event_id);
create index links_by_name on links (program_id, lower(short_link));
