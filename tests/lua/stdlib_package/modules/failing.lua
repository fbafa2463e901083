error('module fails')
