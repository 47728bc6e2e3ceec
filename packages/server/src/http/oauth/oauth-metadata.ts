import { APPLICATION_SCOPES } from '@svc/contract';

const WELL_KNOWN = '/.well-known';

export const AUTHORIZE_PATH = '/oauth/authorize';
export const APPROVE_PATH = '/oauth/approve';
export const REGISTER_PATH = '/oauth/register';
export const TOKEN_PATH = '/oauth/token';

/** What tokens of applications are for. */
export const resourceOf = (baseUrl: string) => `${baseUrl}/mcp`;

export const resourceMetadataUrl = (baseUrl: string) => `${baseUrl}${WELL_KNOWN}/oauth-protected-resource/mcp`;

/** What clients of the tools read before they sign their users in, by path (RFC 9728 and RFC 8414). */
export function oauthMetadata(baseUrl: string): Record<string, object> {
  const resource = {
    resource: resourceOf(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: APPLICATION_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Affiliate attribution',
  };
  const server = {
    issuer: baseUrl,
    authorization_endpoint: baseUrl + AUTHORIZE_PATH,
    token_endpoint: baseUrl + TOKEN_PATH,
    registration_endpoint: baseUrl + REGISTER_PATH,
    scopes_supported: APPLICATION_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    service_documentation: `${baseUrl}/docs/guide/mcp`,
  };
  return {
    [`${WELL_KNOWN}/oauth-protected-resource`]: resource,
    [`${WELL_KNOWN}/oauth-protected-resource/mcp`]: resource,
    [`${WELL_KNOWN}/oauth-authorization-server`]: server,
  };
}
