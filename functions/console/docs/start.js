// Renders the OpenAPI document. The page's policy allows no script in the page itself.
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#swagger-ui", deepLinking: true });
