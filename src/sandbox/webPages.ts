import { html } from 'hono/html';
import { createMiddleware } from 'hono/factory';

/** Stands in for the pages of a GitLab instance, so that a link that is opened in a browser leads somewhere. */
export function webPages() {
  return createMiddleware(async (context, next) => {
    const path = decoded(context.req.path);
    if (
      path === undefined ||
      path.startsWith('/api/') ||
      path.startsWith('/-/') ||
      !context.req.header('accept')?.includes('text/html')
    ) {
      return next();
    }
    return context.html(
      html`<!doctype html>
        <html lang="en">
          <head>
            <title>${path} · Sandbox</title>
            <meta name="color-scheme" content="light dark" />
            <style>
              body {
                font:
                  16px/1.5 system-ui,
                  sans-serif;
                max-width: 40em;
                margin: 4em auto;
                padding: 0 1em;
              }
            </style>
          </head>
          <body>
            <h1>${path}</h1>
            <p>
              This is the sandbox instance of Beacon. On a GitLab instance, this address shows what the link is about.
            </p>
          </body>
        </html>`,
    );
  });
}

function decoded(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}
