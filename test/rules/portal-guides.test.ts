import { describe, expect, test } from '@jest/globals';

import { samlGuides } from '../../functions/faces/portal/guide/saml/index.ts';
import { oidcGuides } from '../../functions/faces/portal/guide/oidc/index.ts';
import { scimGuides } from '../../functions/faces/portal/guide/scim/index.ts';
import { OidcGuide, SamlGuide, ScimGuide } from '../../functions/faces/portal/guide/schema.ts';
import { Directory } from '../../functions/sign-in/directory-sync/directory/schema.ts';
import { findProtocol } from '../../functions/sign-in/sso/connection/types.ts';

const SAML = (
  'okta entra google onelogin jumpcloud pingone pingfederate adfs keycloak shibboleth simplesamlphp duo cyberark rippling ' +
  'salesforce generic'
).split(' ');
const SCIM = 'okta entra onelogin jumpcloud pingfederate cyberark sailpoint rippling generic'.split(' ');

/** The names of the values that a guide enters. */
const valuesIn = (guide: SamlGuide | OidcGuide | ScimGuide): string => JSON.stringify(guide.steps);

describe('the guides of the portal', () => {
  test('exist once for each provider, and the guide for any other provider is the last', () => {
    expect(samlGuides.map(({ id }) => id)).toEqual(SAML);
    expect(scimGuides.map(({ id }) => id)).toEqual(SCIM);
  });

  test.each(samlGuides.map((guide) => [guide.id, guide] as const))(
    'of %s for SAML are valid and complete',
    (_id, guide) => {
      expect(SamlGuide.parse(guide)).toEqual(guide);
      expect(findProtocol(guide.type)).toBe('saml');
      const text = valuesIn(guide);
      // A provider needs both values, or the URL of the metadata that contains them.
      const hasValues = text.includes('acs_url') && text.includes('sp_entity_id');
      expect(hasValues || text.includes('sp_metadata_url')).toBe(true);
      expect(guide.steps.filter((step) => step.do === 'take')).toHaveLength(1);
    },
  );

  test.each(oidcGuides.map((guide) => [guide.id, guide] as const))(
    'of %s for OpenID Connect are valid and complete',
    (_id, guide) => {
      expect(OidcGuide.parse(guide)).toEqual(guide);
      expect(findProtocol(guide.type)).toBe('oidc');
      expect(valuesIn(guide)).toContain('"redirect_uri"');
      expect(guide.steps.filter((step) => step.do === 'take')).toHaveLength(1);
    },
  );

  test.each(scimGuides.map((guide) => [guide.id, guide] as const))(
    'of %s for SCIM are valid and complete',
    (_id, guide) => {
      expect(ScimGuide.parse(guide)).toEqual(guide);
      expect(Directory.shape.type.safeParse(guide.type).success).toBe(true);
      const text = valuesIn(guide);
      expect(text.includes('"scim_url"') && text.includes('"token"')).toBe(true);
    },
  );

  test("use attribute names that a connection of the provider's type reads", async () => {
    const { GENERIC_NAMES } = await import('../../functions/sign-in/sso/saml/attribute-names.ts');
    const known = new Set(Object.values(GENERIC_NAMES).flat());
    const own = new Set([
      'saml_subject',
      'SAML_SUBJECT',
      'Name ID',
      'E-Mail Address',
      'Given Name',
      'Surname',
      'Group',
    ]);
    const unknown = samlGuides.flatMap(({ id, steps }) =>
      steps.flatMap((step) => (step.do === 'map' ? step.attributes.map(([name]) => `${id}: ${name}`) : [])),
    );
    expect(
      unknown.filter(
        (entry) => !known.has(entry.slice(entry.indexOf(': ') + 2)) && !own.has(entry.split(': ')[1] ?? ''),
      ),
    ).toEqual([]);
  });
});
