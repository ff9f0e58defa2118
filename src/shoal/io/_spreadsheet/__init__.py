"""What the reader of spreadsheets asks their files itself, for its library does not tell."""
