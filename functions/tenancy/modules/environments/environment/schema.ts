import * as z from 'zod';

import { makeClientId } from '../../../../kernel/authentication/environment-id.ts';
import { listSchema, pageMembers } from '../../../../kernel/pagination.ts';
import type { EnvironmentRecord } from '../../../../kernel/storage/environment.ts';
import { emailInput, timestamp } from '../../../../kernel/values.ts';
import { isIssuer, readColour } from './rules.ts';

export const ListEnvironments = z.object(pageMembers('environment'));

const colour = z
  .string()
  .max(7)
  .transform((text, context) => {
    const found = readColour(text);
    if (found !== undefined) return found;
    context.issues.push({ code: 'custom', message: 'is no colour of six hexadecimal digits', input: text });
    return z.NEVER;
  });

const members = {
  contact_email: emailInput
    .nullish()
    .describe('The address for mails such as the one about a disabled webhook endpoint.'),
  issuer: z
    .string()
    .max(500)
    .refine(isIssuer, 'is no https URL without query and fragment (RFC 8414 section 2)')
    .nullish()
    .describe('The `iss` of new tokens; that of the service if null. Inform every service that verifies it.'),
  color: colour
    .nullish()
    .describe(
      'The colour that the console shows next to the name: six hexadecimal digits, with or without `#`, such as `#1f6feb`.',
    ),
  is_production: z
    .boolean()
    .optional()
    .describe('True for an environment in which every act of an operator needs a reason.'),
};

const name = z.string().trim().min(1).max(128);

export const CreateEnvironment = z.object({ name, ...members }).meta({ id: 'CreateStageEnvironmentDto' });
export const UpdateEnvironment = z
  .object({ name: name.optional(), ...members })
  .meta({ id: 'UpdateStageEnvironmentDto' });

export const Environment = z
  .object({
    object: z.literal('environment'),
    id: z.string(),
    client_id: z.string(),
    name: z.string(),
    contact_email: z.string().nullable(),
    issuer: z.string().nullable().describe('The `iss` of tokens; null for that of the service.'),
    color: z.string().nullable().describe('The colour that the console shows next to the name, such as `#1f6feb`.'),
    is_production: z.boolean(),
    is_platform: z
      .boolean()
      .describe(
        'True if its API keys may create teams with environments of their own (see the guide [Platform](/docs/guides/platform)).',
      ),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'StageEnvironment' });

export const EnvironmentList = listSchema(Environment).meta({ id: 'StageEnvironmentList' });

/** An environment as a response. */
export const presentEnvironment = (record: EnvironmentRecord): z.input<typeof Environment> => ({
  object: 'environment',
  id: record.id,
  client_id: makeClientId(record.id),
  name: record.name,
  contact_email: record.contactEmail ?? null,
  issuer: record.issuer ?? null,
  color: record.color ?? null,
  is_production: record.isProduction ?? false,
  is_platform: record.isPlatform ?? false,
  created_at: record.createdAt,
  updated_at: record.updatedAt,
});
