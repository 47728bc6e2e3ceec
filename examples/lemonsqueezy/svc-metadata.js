// svc-metadata.js: who pays, and through which partner's link they came.
export function svcMetadata(cookieHeader = '', userId = '') {
  // The tracker sets this cookie when a visitor arrives through a partner's link.
  const clickId = /(?:^|;\s*)svc_click_id=(cust_\d+_\d+)/.exec(cookieHeader)?.[1];
  return {
    program_id: '42',
    ...(clickId && { svc_click_id: clickId }),
    // Your own id for the user, the same as at signup. Guests have none.
    ...(userId && { svc_customer_key: String(userId) }),
  };
}
