import * as z from 'zod';

import { secret, timestamp } from '../../../kernel/values.ts';

/** The scopes of widgets, in the contract's order; each is a system permission of the model. */
export const WIDGET_SCOPES = [
  'widgets:users-table:manage',
  'widgets:domain-verification:manage',
  'widgets:sso:manage',
  'widgets:api-keys:manage',
  'widgets:dsync:manage',
  'widgets:audit-log-streaming:manage',
  'widgets:pipes:manage',
] as const;

export type WidgetScope = (typeof WIDGET_SCOPES)[number];

const id = z.string().min(1).max(128);

export const CreateWidgetToken = z
  .object({
    organization_id: id.optional(),
    user_id: id.optional(),
    scopes: z
      .array(z.enum(WIDGET_SCOPES))
      .max(50)
      .optional()
      .describe(
        'What the widget may do. The token has those of them that are permissions of the user in the organization.',
      ),
  })
  .meta({ id: 'WidgetSessionTokenDto' });

export const WidgetToken = z.object({ token: secret }).meta({ id: 'WidgetSessionTokenResponse' });

export const WidgetSession = z
  .object({
    object: z.literal('widget_session'),
    user_id: z.string().nullable(),
    organization_id: z.string().nullable(),
    scopes: z.array(z.enum(WIDGET_SCOPES)),
    expires_at: timestamp,
  })
  .meta({ id: 'WidgetSession' });
