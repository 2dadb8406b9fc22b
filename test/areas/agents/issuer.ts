import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

import { now, service } from '../../support/service.ts';
import { ADA, configure, register } from './registering.ts';

/** An identity provider that asserts Ada by ID-JAGs. */
export interface Issuer {
  /** Trusts it for an organization. @param registrations further settings */
  trust: (organizationId: string, registrations?: object) => Promise<unknown>;
  /** Registers an agent of Ada by a new assertion. */
  present: (client?: string) => ReturnType<typeof register>;
  close: () => void;
}

const ISSUER = 'https://idp.example.com';

/** Starts an identity provider that publishes one key. */
export async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const published = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] });
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(published);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  let made = 0;
  return {
    trust: (organizationId, registrations = {}) =>
      configure({
        identity_assertion: true,
        trusted_issuers: [{ issuer: ISSUER, jwks_uri: jwksUri, organization_id: organizationId }],
        ...registrations,
      }),
    async present(client = 'assistant') {
      const { url, clientId } = await service();
      const seconds = Math.floor((await now()) / 1_000);
      const assertion = await new SignJWT({ client_id: client, email: ADA, email_verified: true })
        .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'oauth-id-jag+jwt' })
        .setIssuer(ISSUER)
        .setSubject('ada-at-idp')
        .setAudience(`${url}/user_management/${clientId}`)
        .setJti(`jti-${(made += 1)}`)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + 300)
        .sign(privateKey);
      return register({ type: 'identity_assertion', assertion });
    },
    close: () => void server.close(),
  };
}
