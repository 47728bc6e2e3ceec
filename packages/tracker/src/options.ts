export type Consent = 'granted' | 'pending' | 'denied';

export type TrackerOptions = {
  /** The id of your program. */
  programId: number | string;
  /** The domain of the cookies, such as `.example.com`. By default, the widest domain that the browser accepts. */
  cookieDomain?: string;
  /** Logs actions and refusals to the console. */
  debug?: boolean;
  /** The URL of the service, or the path of a relay. The script takes it from its own address. */
  apiBase: string;
  /** Where the service takes reports, if its operator has chosen another path than `/svc`. The script has it already. */
  reportPath?: string;
  /** `pending` keeps everything in memory until `consent` is called. The default is `granted`. */
  consent?: Consent;
  /** Treats Global Privacy Control and Do Not Track as `denied` until `consent('granted')` is called. */
  privacySignals?: boolean;
  /**
   * Parameters that name the partner in links, besides `aff`, such as `via`; the first one with a value counts. The script has
   * those of the program if it comes from `/js/svc-tracker-<program_id>.js`.
   */
  linkParameters?: readonly string[];
  /** How many days to keep a click that a redirect has recorded. The default is 60. */
  cookieDays?: number;
};

export type TrackerData = {
  clickId: string | null;
  programId: number | null;
  hasAttribution: boolean;
  /** The URL that carried the `aff` of the last recorded click; on later pages, this site's URL with the same `aff`. */
  affiliateUrl: string | null;
};

/**
 * The service's response to a signup; false if the service refused it; undefined if there is no answer: consent was denied or
 * is pending, the tracker has not started, or the service did not respond within a few seconds.
 */
export type SignupAnswer = { success: true; message: string; provisional?: true } | false | undefined;
