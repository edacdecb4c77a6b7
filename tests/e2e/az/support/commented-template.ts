/** Hand-written template with both kinds of comments and a multi-line string. */
export const commentedTemplate = `{
  // One network, with what callers may say of it.
  "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#",
  "contentVersion": "1.0.0.0",
  /* Defaults suit
     a first try. */
  "parameters": {
    "prefix": { "type": "string", "defaultValue": "10.9.0.0/16" }, // of the whole network
    "subnets": { "type": "int", "defaultValue": 2 }
  },
  "variables": { "name": "deployed" },
  "resources": [
    {
      "type": "Microsoft.Network/virtualNetworks",
      "apiVersion": "2023-04-01",
      "name": "[variables('name')]",
      "location": "[resourceGroup().location]",
      "properties": {
        "addressSpace": { "addressPrefixes": ["[parameters('prefix')]"] },
        "copy": [
          {
            "name": "subnets",
            "count": "[parameters('subnets')]",
            "input": {
              "name": "[concat('s', copyIndex('subnets'))]",
              "properties": {
                "addressPrefix": "[
                  cidrSubnet(parameters('prefix'), 24, copyIndex('subnets'))
                ]"
              }
            }
          }
        ]
      }
    }
  ],
  "outputs": {
    "id": { "type": "string", "value": "[resourceId('Microsoft.Network/virtualNetworks', variables('name'))]" }
  }
}
`;
