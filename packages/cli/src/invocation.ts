/**
 * The command line that started this command. Hints print it, so that they also work where `svc` is not installed: npx,
 * `pnpm dlx` and `yarn dlx` run a package from a temporary folder.
 */
export function invocationOf(script: string, env: NodeJS.ProcessEnv, downloadedFrom: string | undefined): string {
  const path = script.replaceAll('\\', '/');
  const tarball = downloadedFrom && `${downloadedFrom}/packages/cli.tgz`;
  if (tarball && path.includes('/_npx/')) return `npx --yes ${tarball}`;
  if (tarball && /\/dlx[-/]/.test(path)) {
    return env.npm_config_user_agent?.startsWith('yarn/') ? `yarn dlx @svc/cli@${tarball}` : `pnpm dlx ${tarball}`;
  }
  return env.npm_command === 'exec' ? 'npx svc' : 'svc';
}

/** The text with every `svc …` in backticks replaced by the command line that starts it here. */
export function asInvoked(text: string, invocation: string): string {
  return text.replaceAll('`svc ', () => `\`${invocation} `);
}
