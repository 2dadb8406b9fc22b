/** The file of an asset, which a browser may cache without limit. @returns undefined for another name */
export async function consoleAsset(
  file: string,
): Promise<{ body: string; headers: Record<string, string> } | undefined> {
  const { readAssets } = await import('../assets/apart.ts');
  const asset = Object.values(readAssets()).find(({ name }) => name === file);
  return (
    asset && {
      body: asset.text,
      headers: {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        'cross-origin-resource-policy': 'same-origin',
      },
    }
  );
}
