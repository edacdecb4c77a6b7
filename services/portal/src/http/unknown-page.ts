/** Page for paths that do not exist. The page requires neither a sign-in nor scripts. */
export const unknownPage = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Page not found · ARO Portal</title></head>
<body><h1>Page not found</h1>
<p>The portal has no page at this address. <a href="/">Show all clusters</a></p>
</body></html>
`;
