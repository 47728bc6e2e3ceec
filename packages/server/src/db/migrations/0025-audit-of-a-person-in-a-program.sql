-- What a person did in one program of the workspace, newest first.

lock table audit_events in share mode;

create index audit_events_by_user_program on audit_events (advertiser_id, user_id, program_id, created_at, id);
