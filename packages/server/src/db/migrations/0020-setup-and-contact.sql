lock table decisions in share mode;
lock table programs in access exclusive mode;

-- How partners reach the brand, shown in the portal.
alter table programs
  add column contact_email text,
  add column contact_url text;

-- The service's own tests (`svc test`, the test chain) say nothing about the brand's site, so they are told apart from events
-- that its site or server sent. Chains of earlier releases gave their customer a key of this form.
update decisions d set source = 'synthetic'
from customers c
where c.is_test and c.customer_key = 'svc_test_' || c.id and d.customer_id = c.id;

-- What the setup guide asks for every few seconds: tests that the site sent, and what was refused. Live events that were
-- recorded are in neither index.
create index decisions_of_tests on decisions (program_id, kind, created_at)
  where is_test and outcome = 'recorded' and source <> 'synthetic';
create index decisions_refused on decisions (program_id, created_at) where outcome in ('refused', 'not_attributed');

-- How many questions about orders a partner has asked on the latest day they asked any, so that ids cannot be tried out.
create table partner_questions (
  program_id bigint not null,
  partner_id bigint not null,
  day date not null,
  asked int not null,
  primary key (program_id, partner_id)
);
