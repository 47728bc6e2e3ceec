const VERSION = /^(\d{1,4})\.(\d{1,4})\.(\d{1,4})$/;

/** The release that a publisher's file announces, such as `{"version": "0.4.0"}`; null if it cannot be read. */
export function readAnnounced(text: string): string | null {
  try {
    const { version } = Object(JSON.parse(text)) as { version?: unknown };
    return typeof version === 'string' && VERSION.test(version) ? version : null;
  } catch {
    return null;
  }
}

/** The announced release, if it is later than this one. */
export function newerRelease(current: string, announced: string | null): string | null {
  return announced !== null && rankOf(announced) > rankOf(current) ? announced : null;
}

function rankOf(version: string): number {
  const [major = 0, minor = 0, patch = 0] = VERSION.exec(version)?.slice(1).map(Number) ?? [];
  return (major * 10_000 + minor) * 10_000 + patch;
}
