-- Whether a payment settled the lead of a customer without naming their key is asked for every payment. It was looked for in everything
-- that was ever decided about the customer.
lock table decisions in share mode;
create index decisions_that_settle_claims on decisions (customer_id)
  where reason = 'lead_settled_by_payment' and customer_key is null;
