import { fileURLToPath } from 'node:url';

import type { Client } from '../client.ts';
import { buildGo } from '../go/build.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

/** Go `golang.org/x/oauth2` with `go-oidc`, as an application that signs users in by OpenID Connect. */
export const goOAuth: Client = {
  name: 'go-oauth',
  title: 'Go, x/oauth2 0.37.0 and go-oidc 3.21.0',
  prepare: () => buildGo({ name: 'go-oauth', folder, sources: ['steps', 'flows'], oldest: 26 }),
};
