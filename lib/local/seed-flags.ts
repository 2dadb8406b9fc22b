import * as z from 'zod';

import { type Call, organizationId, userId } from './seed-groups.ts';

/** A feature flag with its targets. The file names users by email and organizations by external_id. */
export const SeedFlag = z.looseObject({
  /** The slug, which identifies an existing flag at a second start. */
  slug: z.string(),
  targets: z
    .array(
      z.union([
        /** The user's email. */
        z.strictObject({ user: z.string() }),
        /** The organization's external_id. */
        z.strictObject({ organization: z.string() }),
        /** A custom target. */
        z.strictObject({ type: z.string(), id: z.string() }),
      ]),
    )
    .default([]),
});

const Page = z.object({
  data: z.array(z.object({ slug: z.string() })),
  list_metadata: z.object({ after: z.string().nullable() }),
});

async function hasFlag(entry: string, slug: string, call: Call): Promise<boolean> {
  for (let after = ''; ;) {
    const page = Page.parse(await call(entry, 'GET', `/feature-flags?limit=100&order=asc${after}`));
    if (page.data.some((flag) => flag.slug === slug)) return true;
    if (page.list_metadata.after === null) return false;
    after = `&after=${page.list_metadata.after}`;
  }
}

/** Creates a flag if it does not exist, and adds the targets that it does not have. */
export async function seedFlag(entry: string, wanted: z.output<typeof SeedFlag>, call: Call): Promise<void> {
  const { targets, ...flag } = wanted;
  if (!(await hasFlag(entry, flag.slug, call))) await call(entry, 'POST', '/x/feature-flags', flag);
  const slug = encodeURIComponent(flag.slug);
  for (const target of targets) {
    if ('type' in target) {
      const name = `${encodeURIComponent(target.type)}/${encodeURIComponent(target.id)}`;
      await call(entry, 'POST', `/x/feature-flags/${slug}/targets/${name}`);
      continue;
    }
    const id =
      'user' in target
        ? await userId(entry, target.user, call)
        : await organizationId(entry, target.organization, call);
    await call(entry, 'POST', `/feature-flags/${slug}/targets/${id}`);
  }
}
