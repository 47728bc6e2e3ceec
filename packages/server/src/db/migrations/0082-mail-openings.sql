-- The opening paragraphs of invitations and approvals, in the words of the brand.
lock table programs in access exclusive mode;

alter table programs add column invitation_opening text, add column welcome_opening text;
