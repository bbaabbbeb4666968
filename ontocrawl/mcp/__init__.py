"""Tools of a workspace for programs that speak the Model Context Protocol (MCP), such as assistants."""
