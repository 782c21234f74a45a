"""How clinical text is read: sentences, sections, concepts, assertion; for notes and questions alike."""
