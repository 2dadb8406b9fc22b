import { withAuth } from '@workos-inc/authkit-nextjs';

/** The user and the organization of the session. */
export async function GET() {
  const { user, organizationId = null } = await withAuth();
  return Response.json({ email: user?.email ?? null, organization_id: organizationId });
}
