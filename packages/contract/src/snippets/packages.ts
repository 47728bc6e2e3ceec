/** Where the npm packages that snippets install are. */
export type PackageUrls = { tracker: string; node: string };

/** The newest packages of a service. An address with a hash, which stays valid for lockfiles, comes from the service itself. */
export function newestPackages(baseUrl: string): PackageUrls {
  return { tracker: `${baseUrl}/packages/tracker.tgz`, node: `${baseUrl}/packages/node.tgz` };
}
