export type Consent = 'granted' | 'pending' | 'denied';

export type TrackerOptions = {
  /** The id of your program. */
  programId: number | string;
  /** The domain of the cookies, like `.example.com`. Left out, the widest domain the browser allows is found. */
  cookieDomain?: string;
  /** Says in the console what is done and what is refused. */
  debug?: boolean;
  /** The address of the service. Left out, the one this tracker came from. */
  apiBase?: string;
  /** `pending` keeps everything in memory until `consent` is called. `granted` when left out. */
  consent?: Consent;
  /** Takes Global Privacy Control or Do Not Track as `denied`, until `consent('granted')` says otherwise. */
  privacySignals?: boolean;
};

export type TrackerData = {
  clickId: string | null;
  programId: number | null;
  hasAttribution: boolean;
  /** The address that carried the `aff` of the last recorded click; on later pages this site with the same `aff`. */
  affiliateUrl: string | null;
};

/** What the service answered to a signup: false where it refused, undefined where it was not asked or not reached. */
export type SignupAnswer = { success: true; message: string; provisional?: true } | false | undefined;
