import * as z from 'zod';

/** A label in the provider's own console, in the language of the provider's documentation. */
const label = z.string().min(1).max(120);
const menu = z.array(label).min(1).max(6);

/** The values of the service that an administrator enters at a provider. */
export const VALUES = ['acs_url', 'sp_entity_id', 'sp_metadata_url', 'redirect_uri', 'scim_url', 'token'] as const;

/** A value of the service by its name, or a constant text that the provider requires. */
const entered = z.union([z.enum(VALUES), z.object({ text: z.string().min(1).max(200) })]);

/** One step at the provider. The page makes a sentence of it in the reader's language. */
const Step = z.discriminatedUnion('do', [
  /** A step that opens a place of the console. */
  z.object({ do: z.literal('open'), where: menu }),
  /** A step that selects an option or presses a button. */
  z.object({ do: z.literal('choose'), options: menu }),
  /** A step that enters values into fields. */
  z.object({
    do: z.literal('enter'),
    fields: z
      .array(z.tuple([label, entered]))
      .min(1)
      .max(8),
  }),
  /** A step that configures attributes with these names; the second member is the provider's own name of the value. */
  z.object({
    do: z.literal('map'),
    where: menu,
    attributes: z
      .array(z.tuple([label, label]))
      .min(1)
      .max(8),
  }),
  /** A step that edits a file of the provider. */
  z.object({ do: z.literal('write'), file: label, text: z.string().min(1).max(2_000) }),
  /** A step that gives users access to the application. */
  z.object({ do: z.literal('assign'), where: menu }),
  /** A step that copies values of the provider into the form below. */
  z.object({ do: z.literal('take'), what: z.enum(['metadata_url', 'metadata_file', 'fields']), where: menu }),
]);

const guide = {
  /** The name of the provider in URLs, such as `okta`. */
  id: z.string().regex(/^[a-z][a-z0-9-]{1,30}$/),
  name: z.string().min(1).max(60),
  /** The provider's documentation on which the steps are based. */
  source: z.url({ protocol: /^https$/ }).nullable(),
  steps: z.array(Step).min(1).max(16),
};

/** The instructions for SAML at a provider. */
export const SamlGuide = z.object({ ...guide, type: z.string().regex(/SAML$/) });

/** The instructions for OpenID Connect at a provider. */
export const OidcGuide = z.object({ ...guide, type: z.string().regex(/OIDC$/) });

/** The instructions for SCIM at a provider. */
export const ScimGuide = z.object({ ...guide, type: z.string().regex(/scim v2\.0$/) });

export type GuideStep = z.output<typeof Step>;
export type SamlGuide = z.output<typeof SamlGuide>;
export type OidcGuide = z.output<typeof OidcGuide>;
export type ScimGuide = z.output<typeof ScimGuide>;
