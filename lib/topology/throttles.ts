import type { Throttle } from './model.ts';
import type { Route } from './routes.ts';

/**
 * Routes with a throttle of their own, so that calls of others cannot use up what they need. `share` is the part of the stage's rate that each of
 * these routes has. A caller without a credential can call the documents without end, and a tenth is enough for their readers.
 */
export const THROTTLED: readonly { name: string; share: number; paths: readonly string[] }[] = [
  {
    name: 'sign-in',
    share: 1,
    paths: [
      '/user_management/authenticate',
      '/user_management/authorize',
      '/user_management/authorize/{proxy+}',
      '/oauth2/{proxy+}',
      '/sso/authorize',
      '/sso/token',
      '/sso/oidc/{proxy+}',
      '/sso/saml/{proxy+}',
      '/x/social/{proxy+}',
    ],
  },
  { name: 'pages', share: 1, paths: ['/hosted/{proxy+}', '/authkit/{proxy+}', '/device'] },
  {
    name: 'docs',
    share: 0.1,
    // Unknown paths are of the same function.
    paths: ['/docs', '/docs/{proxy+}', '/llms.txt', '/openapi.json', '$default'],
  },
];

/** The throttles of the routes that have one, by their paths. All others share that of the stage. */
export function listThrottles(routes: readonly Route[], { rate, burst }: Throttle): Map<string, Throttle> {
  const known = new Set(routes.map(({ path }) => path));
  const part = (whole: number, share: number): number => Math.max(1, Math.round(whole * share));
  return new Map(
    THROTTLED.flatMap(({ share, paths }) =>
      paths
        .filter((path) => known.has(path))
        .map((path) => [path, { rate: part(rate, share), burst: part(burst, share) }] as const),
    ),
  );
}
