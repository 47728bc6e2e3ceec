-- Why a bulk action has stopped. Null while it has not, and in those that stopped before.
lock table bulk_actions in access exclusive mode;

alter table bulk_actions add column stop_reason text check (stop_reason in ('requested', 'role_lost'));
